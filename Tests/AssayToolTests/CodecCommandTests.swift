import AssayCodec
import Testing

/// The noun `codec`, good input.
@Suite struct CodecCommandTests {
  static let good: [(arguments: [String], text: String, json: String)] = [
    (["base64url", "encode", "--text", "hé?"], "aMOpPw\n", #"{"outcome":"done","text":"aMOpPw"}"#),
    (["base64url", "decode", "--text", "aMOpPw"], "hé?", #"{"outcome":"done","bytes":"68c3a93f"}"#),
    (["base32", "encode", "--text", "foob"], "MZXW6YQ\n", #"{"outcome":"done","text":"MZXW6YQ"}"#),
    (["base32", "encode", "--padded", "--text", "foob"], "MZXW6YQ=\n", #"{"outcome":"done","text":"MZXW6YQ="}"#),
    (["base32", "decode", "--text", "MZXW6YQ="], "foob", #"{"outcome":"done","bytes":"666f6f62"}"#),
    (
      ["base32", "decode", "--profile", "unpadded", "--text", "MZXW6YQ"], "foob",
      #"{"outcome":"done","bytes":"666f6f62"}"#
    ),
    (
      ["base32", "decode", "--profile", "typed-in", "--text", "mzxw-6yq"], "foob",
      #"{"outcome":"done","bytes":"666f6f62"}"#
    ),
    (
      ["json", "--text", " { \"b\" : [ 1.0 , null ], \"a\" : \"\\u00e9\" } "], "{\"b\":[1.0,null],\"a\":\"é\"}\n",
      #"{"outcome":"done","value":{"b":[1.0,null],"a":"é"}}"#
    ),
    (
      ["cbor", "--encoding", "hex", "--text", "A3 01 02 03 26 20 01"],
      "  item             {1: 2, 3: -7, -1: 1}\n  bytes            7\n  CTAP2 canonical  yes\n",
      #"{"outcome":"done","diagnostic":"{1: 2, 3: -7, -1: 1}","byteCount":7,"ctap2Canonical":true}"#
    ),
    (
      ["cbor", "--encoding", "base64url", "--text", "ogMBAQI"],
      """
        item             {3: 1, 1: 2}
        bytes            5
        CTAP2 canonical  no: CBOR: the encoding is not the canonical one (byte 3)

      """,
      #"{"outcome":"done","diagnostic":"{3: 1, 1: 2}","byteCount":5,"ctap2Canonical":false}"#
    ),
  ]

  @Test(arguments: good) func prints(_ one: (arguments: [String], text: String, json: String)) throws {
    let text = try ToolRun.run(["codec"] + one.arguments)
    #expect(text.status == 0 && text.errors.isEmpty)
    #expect(text.text == one.text)
    let json = try ToolRun.run(["codec"] + one.arguments + ["--json"])
    #expect(json.status == 0 && json.errors.isEmpty)
    #expect(json.text == one.json + "\n")
    #expect(json.json != nil)
  }

  @Test func filesAndStandardInputAreRead() throws {
    let path = try ToolRun.file(Array("aMOpPw\r\n".utf8))
    #expect(try ToolRun.run(["codec", "base64url", "decode", path]).text == "hé?")
    #expect(try ToolRun.run(["codec", "base64url", "decode", "-"], input: Array("aMOpPw\n".utf8)).text == "hé?")
    #expect(try ToolRun.run(["codec", "cbor", "-"], input: [0x82, 0x01, 0x20]).text.contains("[1, -1]"))
  }

  @Test func theStrictFormCanBeDemanded() throws {
    let refused = try ToolRun.run(["codec", "cbor", "--canonical", "--encoding", "hex", "--text", "a203010102"])
    refused.expectRefusal("not canonical")
    #expect(refused.status == 1)
    #expect(try ToolRun.run(["codec", "cbor", "--canonical", "--encoding", "hex", "--text", "a201020301"]).status == 0)
  }
}
