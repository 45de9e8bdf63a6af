import AssayCodec
import Foundation
import TestSupport
import Testing

@Suite struct JSONTests {
  private func decode(_ text: String, _ limits: JSONLimits = JSONLimits()) throws(CodecError) -> JSONValue {
    try JSONValue.decode(Array(text.utf8).span, limits: limits)
  }

  private func fault(_ text: String, _ limits: JSONLimits = JSONLimits()) -> CodecError? {
    do throws(CodecError) {
      _ = try decode(text, limits)
      return nil
    } catch {
      return error
    }
  }

  /// The cases of the JSON parsing suite that it leaves to the implementation, and two that it would accept: a number that
  /// no `Double` holds, text that is not UTF-8, half a surrogate pair, a byte order mark, deep nesting and a repeated name
  /// are all refused here (RFC 8725, 3.10; RFC 7493, 2).
  private static let stricterThanTheSuite: Set<String> = [
    "y_object_duplicated_key.json", "y_object_duplicated_key_and_value.json",
  ]

  @Test(.enabled(if: TestData.hasExtra)) func parsingSuite() throws {
    let cases: [[String: Any]] = try TestData.extraJSON("json/json_test_suite.json").get("cases")
    #expect(cases.count == 318)
    var accepted = 0
    for one in cases {
      let id: String = try one.get("id")
      var input: [UInt8] = []
      if let encoded = one["inputBase64"] as? String {
        input = Array(try #require(Data(base64Encoded: encoded)))
      } else {
        let part: [Any] = try one.get("repeat")
        let text = try #require(part.first as? String)
        for _ in 0..<(try #require(part.last as? Int)) { input += Array(text.utf8) }
      }
      let value = try? JSONValue.decode(input.span)
      switch try one.get("expected", as: String.self) {
      case "accept": #expect((value == nil) == Self.stricterThanTheSuite.contains(id), "\(id)")
      case "reject", "policy": #expect(value == nil, "\(id)")
      case let other: Issue.record("unknown expectation \(other) in \(id)")
      }
      accepted += value == nil ? 0 : 1
    }
    #expect(accepted == 93)
  }

  @Test func valuesComeOutAsWritten() throws {
    let value = try decode(#" { "a\u0062c" : [ 1 , -2.50e+3 , true , null , "\ud83d\ude00\/\n" ] , "" : {} } "#)
    #expect(value["abc"]?.array?.count == 5)
    #expect(value["abc"]?.array?[0].number?.int64 == 1)
    #expect(value["abc"]?.array?[1].number?.double == -2500)
    #expect(value["abc"]?.array?[1].number?.int64 == nil)
    #expect(value["abc"]?.array?[1].number?.text == "-2.50e+3")
    #expect(value["abc"]?.array?[4].string == "😀/\n")
    #expect(value[""]?.object?.members.isEmpty == true)
    #expect(value.encoded() == Array(#"{"abc":[1,-2.50e+3,true,null,"😀/\n"],"":{}}"#.utf8))
  }

  @Test func numbersAreExact() throws {
    func number(_ text: String) throws -> JSONNumber? { try decode(text).number }
    #expect(try number("9223372036854775807")?.int64 == .max)
    #expect(try number("-9223372036854775808")?.int64 == .min)
    #expect(try number("9223372036854775808")?.int64 == nil)
    #expect(try number("9223372036854775808")?.uint64 == 1 << 63)
    #expect(try number("18446744073709551615")?.uint64 == .max)
    #expect(fault("18446744073709551616")?.code == .numberOutOfRange)
    #expect(fault("-9223372036854775809")?.code == .numberOutOfRange)
    #expect(try number("9007199254740993")?.int64 == 9_007_199_254_740_993)
    #expect(try number("1.0")?.int64 == nil)
    #expect(try number("-0")?.text == "-0")
    #expect(try number("1.9")?.floor == 1)
    #expect(try number("-1.1")?.floor == -2)
    #expect(try number("1e300")?.floor == nil)
    #expect(fault("1e309")?.code == .numberOutOfRange)
    #expect(fault("1e-400")?.code == .numberOutOfRange)
    #expect(try number("0e-400")?.double == 0)
    #expect(fault(String(repeating: "1", count: 129))?.code == .tooLarge)
  }

  @Test func faultsHaveTheirKindAndPlace() {
    let table: [(String, CodecError)] = [
      ("", CodecError(.truncated, "JSON value", at: 0)),
      ("{", CodecError(.truncated, "JSON member name", at: 1)),
      ("{a", CodecError(.invalidCharacter, "JSON member name", at: 1)),
      (#"{"a":1,"a":2}"#, CodecError(.duplicateKey, "JSON member name", at: 7)),
      (#"{"a":1,"\u0061":2}"#, CodecError(.duplicateKey, "JSON member name", at: 7)),
      (#"[{"x":{"a":1,"a":2}}]"#, CodecError(.duplicateKey, "JSON member name", at: 13)),
      ("1 2", CodecError(.trailingBytes, "JSON", at: 2)),
      ("01", CodecError(.trailingBytes, "JSON", at: 1)),
      ("tru", CodecError(.truncated, "JSON literal", at: 3)),
      ("\"a\nb\"", CodecError(.invalidCharacter, "JSON string", at: 2)),
      (#""\ud800""#, CodecError(.invalidUTF8, "JSON string", at: 2)),
      ("\u{FEFF}{}", CodecError(.invalidCharacter, "JSON value", at: 0)),
    ]
    for (text, expected) in table { #expect(fault(text) == expected, "\(text)") }
  }

  @Test func duplicatesAmongManyMembersAreFound() throws {
    func object(_ names: [String]) -> String { "{" + names.map { "\"\($0)\":0" }.joined(separator: ",") + "}" }
    let names = (0..<100).map { "n\($0)" }
    #expect(try decode(object(names)).object?.members.count == 100)
    for again in names { #expect(fault(object(names + [again]))?.code == .duplicateKey) }
  }

  @Test func depthAndSizeAreBounded() throws {
    func nested(_ depth: Int) -> String { String(repeating: "[", count: depth) + String(repeating: "]", count: depth) }
    _ = try decode(nested(32))
    #expect(fault(nested(33))?.code == .tooDeep)
    #expect(fault(nested(200_000))?.code == .tooDeep)
    #expect(JSONLimits(maximumDepth: 1_000_000).maximumDepth == JSONLimits.deepestNesting)
    _ = try decode(nested(128), JSONLimits(maximumDepth: .max))
    #expect(fault("[0]", JSONLimits(maximumBytes: 2)) == CodecError(.tooLarge, "JSON", at: 2))
  }

  @Test func everyTruncationIsReported() throws {
    let text = Array(#"{"a":[1.5e2,"\u00e9\ud83d\ude00é",true,false,null,{"b":-0}],"c":""}"#.utf8)
    _ = try JSONValue.decode(text.span)
    for count in 0..<text.count {
      #expect(throws: CodecError.self) { try JSONValue.decode(text.span.extracting(0..<count)) }
    }
  }

  /// Whatever a changed byte still leaves readable must come out of the writer as something that reads the same.
  @Test func everyChangedByteIsRefusedOrReadsBackTheSame() throws {
    let text = Array(#"{"a":[1.5e2,"\u00e9é",true],"c":""}"#.utf8)
    for index in text.indices {
      for byte in UInt8.min...UInt8.max {
        var changed = text
        changed[index] = byte
        if let value = try? JSONValue.decode(changed.span) {
          #expect(try JSONValue.decode(value.encoded().span) == value)
        }
      }
    }
  }

  @Test func writtenControlCharactersReadBack() throws {
    let all = UTF8Text(String(String.UnicodeScalarView((0..<0x80).compactMap(Unicode.Scalar.init))))
    let encoded = JSONValue.string(all).encoded()
    #expect(try JSONValue.decode(encoded.span).string == all)
    #expect(try JSONSerialization.jsonObject(with: Data(encoded), options: .fragmentsAllowed) as? String == all.string)
  }
}
