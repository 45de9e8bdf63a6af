import AssayCodec
import Foundation
import TestSupport
import Testing

/// Walking over a text must refuse exactly what reading it refuses, with the same error.
@Suite struct JSONWalkTests {
  private typealias Outcome = Result<JSONValue, CodecError>

  private func decoded(_ text: [UInt8], _ limits: JSONLimits) -> Outcome {
    Outcome { () throws(CodecError) in try JSONValue.decode(text.span, limits: limits) }
  }

  /// Skips a text, or takes it apart down to the values that are neither arrays nor objects.
  private func skipped(_ text: [UInt8], _ limits: JSONLimits) -> CodecError? {
    do throws(CodecError) {
      let range = try ByteReader.walkJSON(text.span, limits: limits) { (reader, depth) throws(CodecError) in
        try reader.skipJSON(depth)
      }
      #expect((try? JSONValue.decode(text.span.extracting(range), limits: limits)) != nil)
      return nil
    } catch {
      return error
    }
  }

  private func walked(_ text: [UInt8], _ limits: JSONLimits) -> Outcome {
    Outcome { () throws(CodecError) in
      try ByteReader.walkJSON(text.span, limits: limits) { (reader, depth) throws(CodecError) in
        try Self.walk(&reader, depth)
      }
    }
  }

  private static func walk(_ reader: inout ByteReader, _ depth: JSONLimits.Depth) throws(CodecError) -> JSONValue {
    switch reader.next {
    case UInt8(ascii: "["):
      var elements: [JSONValue] = []
      try reader.walkJSONArray(depth) { (reader, depth) throws(CodecError) in
        elements.append(try walk(&reader, depth))
      }
      return .array(elements)
    case UInt8(ascii: "{"):
      var members: JSONObject = [:]
      try reader.walkJSONObject(depth) { (name, reader, depth) throws(CodecError) in
        members[name] = try walk(&reader, depth)
      }
      return .object(members)
    default: return try reader.takeJSON(depth)
    }
  }

  /// Whether the text is accepted.
  private func compare(_ text: [UInt8], _ limits: JSONLimits = JSONLimits()) -> Bool {
    let decoded = decoded(text, limits)
    #expect(walked(text, limits) == decoded, "\(String(decoding: text, as: UTF8.self))")
    switch decoded {
    case .success: #expect(skipped(text, limits) == nil, "\(String(decoding: text, as: UTF8.self))")
    case .failure(let error): #expect(skipped(text, limits) == error, "\(String(decoding: text, as: UTF8.self))")
    }
    return (try? decoded.get()) != nil
  }

  @Test(.enabled(if: TestData.hasExtra)) func parsingSuite() throws {
    let cases: [[String: Any]] = try TestData.extraJSON("json/json_test_suite.json").get("cases")
    var accepted = 0
    for one in cases {
      var input: [UInt8] = []
      if let encoded = one["inputBase64"] as? String {
        input = Array(try #require(Data(base64Encoded: encoded)))
      } else {
        let part: [Any] = try one.get("repeat")
        let text = try #require(part.first as? String)
        for _ in 0..<(try #require(part.last as? Int)) { input += Array(text.utf8) }
      }
      accepted += compare(input) ? 1 : 0
    }
    #expect(cases.count == 318 && accepted == 93)
  }

  private static let sample =
    #" {"a":[1.5e2,"\u00e9é\ud83d\ude00\/",true,null],"":{"b":{}, "\u0062c":[[]]},"d":-0,"e":false} "#

  @Test func everyTruncation() {
    let text = Array(Self.sample.utf8)
    #expect(compare(text))
    for count in 0..<text.count { _ = compare(Array(text[..<count])) }
  }

  @Test func everyChangedByte() {
    let text = Array(Self.sample.utf8)
    var accepted = 0
    for index in text.indices {
      for byte in UInt8.min...UInt8.max {
        var changed = text
        changed[index] = byte
        accepted += compare(changed) ? 1 : 0
      }
    }
    #expect(accepted > text.count)
  }

  @Test func limits() {
    func nested(_ depth: Int) -> [UInt8] {
      Array((String(repeating: #"[{"a":"#, count: depth) + "0" + String(repeating: "}]", count: depth)).utf8)
    }
    #expect(compare(nested(16)))
    #expect(!compare(nested(17)))
    #expect(!compare(nested(100_000)))
    #expect(compare(nested(64), JSONLimits(maximumDepth: 128)))
    #expect(!compare(nested(4), JSONLimits(maximumBytes: 20)))
  }

  @Test func namesAmongMany() {
    let names = (0..<40).map { "n\($0)" }
    func object(_ names: [String]) -> [UInt8] {
      Array(("[{" + names.map { "\"\($0)\":0" }.joined(separator: ",") + "}]").utf8)
    }
    #expect(compare(object(names)))
    for again in names { #expect(!compare(object(names + [again]))) }
  }

  @Test func whatIsNeitherArrayNorObjectIsNotWalkedOver() {
    let text = Array("0".utf8)
    #expect(throws: CodecError(.wrongType, "JSON array", at: 0)) {
      try ByteReader.walkJSON(text.span, limits: JSONLimits()) { (reader, depth) throws(CodecError) in
        try reader.walkJSONArray(depth) { (reader, depth) throws(CodecError) in try reader.skipJSON(depth) }
      }
    }
    #expect(throws: CodecError(.wrongType, "JSON object", at: 0)) {
      try ByteReader.walkJSON(text.span, limits: JSONLimits()) { (reader, depth) throws(CodecError) in
        try reader.walkJSONObject(depth) { (_, reader, depth) throws(CodecError) in try reader.skipJSON(depth) }
      }
    }
  }
}
