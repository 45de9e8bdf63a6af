import Foundation
import Testing

@testable import AssayCodec

/// The rules of our `Decoder` that Foundation's does not have, and what its errors say.
@Suite struct DecoderTests {
  private func decode<T: Decodable>(_ type: T.Type, _ text: String) throws -> T {
    try JSONValue.decode(Array(text.utf8).span).decoded(as: type)
  }

  private func refusal<T: Decodable>(_ type: T.Type, _ text: String) throws -> DecodingError.Context? {
    do {
      _ = try decode(type, text)
      return nil
    } catch let error as DecodingError {
      switch error {
      case .typeMismatch(_, let context), .valueNotFound(_, let context), .keyNotFound(_, let context),
        .dataCorrupted(let context):
        return context
      @unknown default: throw error
      }
    }
  }

  private func path(_ context: DecodingError.Context?) -> [String]? { context?.codingPath.map(\.stringValue) }

  @Test func integersAreExact() throws {
    #expect(try decode(Int64.self, "9007199254740993") == 9_007_199_254_740_993)
    #expect(try decode(UInt64.self, "18446744073709551615") == .max)
    #expect(try decode(Int64.self, "-9223372036854775808") == .min)
    for text in ["1.0", "1e0", "1E5", "0.0", "-0", "9007199254740993.0"] {
      #expect(try refusal(Int64.self, text)?.debugDescription == DecodingFault.notAnInteger.rawValue, "\(text)")
    }
    for text in ["9223372036854775808", "18446744073709551615"] {
      #expect(try refusal(Int64.self, text)?.debugDescription == DecodingFault.outOfRange.rawValue)
    }
    #expect(try refusal(UInt64.self, "-1")?.debugDescription == DecodingFault.outOfRange.rawValue)
    for number in -300...300 {
      #expect((try refusal(Int8.self, "\(number)") == nil) == (Int8(exactly: number) != nil), "\(number)")
      #expect((try refusal(UInt8.self, "\(number)") == nil) == (UInt8(exactly: number) != nil), "\(number)")
    }
  }

  @Test func wideIntegersAreRefusedAndDoNotTrap() throws {
    #expect(try refusal(Int128.self, "1") != nil)
    #expect(try refusal([UInt128].self, "[1]") != nil)
    #expect(try refusal([String: UInt128].self, #"{"a":1}"#) != nil)
  }

  @Test func floatsThatDoNotFitAreRefused() throws {
    #expect(try decode(Float.self, "1e38") == 1e38)
    #expect(try decode(Float.self, "0.0") == 0)
    for text in ["1e39", "-1e39", "1e-60"] {
      #expect(try refusal(Float.self, text)?.debugDescription == DecodingFault.outOfRange.rawValue, "\(text)")
    }
    #expect(try refusal(Double.self, #""NaN""#)?.debugDescription == DecodingFault.wrongType.rawValue)
  }

  @Test func ownTypesAreTakenAsTheyAre() throws {
    #expect(try decode(UTF8Text.self, #""e\u0301""#).utf8 == Array("e\u{301}".utf8))
    #expect(try decode(JSONValue.self, "null") == .null)
    #expect(try decode([JSONValue].self, "[null,1.0]") == [.null, try JSONValue.decode(Array("1.0".utf8).span)])
    #expect(try decode(JSONObject.self, #"{"b":1,"a":[{}]}"#) == ["b": 1, "a": [[:]]])
    #expect(try decode(UnixTime.self, "1700000000") == UnixTime(1_700_000_000))
    #expect(try decode(UnixTime.self, "0.25") == UnixTime(1))
    #expect(try decode(UnixTime.self, "253402300799") == UnixTime(253_402_300_799))
    for text in ["-1", "-0.5", "253402300800", "1e300", "253402300799.5", "18446744073709551615"] {
      #expect(try refusal(UnixTime.self, text)?.debugDescription == DecodingFault.notATime.rawValue, "\(text)")
    }
    #expect(try refusal(UnixTime.self, #""1""#)?.debugDescription == DecodingFault.wrongType.rawValue)
    #expect(try refusal(JSONObject.self, "[]")?.debugDescription == DecodingFault.notAnObject.rawValue)
  }

  @Test func ownTypesWithAnotherDecoder() throws {
    let data = Data(#"["a"]"#.utf8)
    #expect(try JSONDecoder().decode([UTF8Text].self, from: data) == ["a"])
    #expect(try JSONDecoder().decode([UnixTime].self, from: Data("[5]".utf8)) == [UnixTime(5)])
    #expect(throws: DecodingError.self) { try JSONDecoder().decode([JSONValue].self, from: data) }
    #expect(throws: DecodingError.self) { try JSONDecoder().decode([JSONObject].self, from: Data("[{}]".utf8)) }
  }

  /// Foundation's types read something else by themselves: `Date` counts from 2001.
  @Test func foreignTypesAreKnown() {
    #expect(ForeignType.isMisread(Date.self))
    #expect(ForeignType.isMisread(Data.self))
    #expect(ForeignType.isMisread(URL.self))
    #expect(ForeignType.isMisread(Decimal.self))
    #expect(!ForeignType.isMisread(UUID.self))
    #expect(!ForeignType.isMisread([Date].self))
  }

  private struct Outer: Decodable {
    struct Inner: Decodable {
      enum Kind: String, Decodable { case a, b }
      var kind: Kind
      var count: Int
    }
    var list: [Inner]
    var named: [String: Inner]?
  }

  @Test func errorsSayWhereAndRepeatNothing() throws {
    let secret = "s3cret"
    let cases: [(String, [String], DecodingFault)] = [
      (#"{"list":[{"kind":"s3cret","count":1}]}"#, ["list", "0", "kind"], .refused),
      (#"{"list":[{"kind":"a","count":1},{"kind":"a","count":"s3cret"}]}"#, ["list", "1", "count"], .wrongType),
      (#"{"list":[{"kind":"a"}]}"#, ["list", "0"], .missing),
      (#"{"list":[{"kind":null,"count":1}]}"#, ["list", "0", "kind"], .null),
      (#"{"list":[],"named":{"x":{"kind":"a","count":1},"s3cret":{"kind":"a"}}}"#, ["named", "1"], .missing),
      (#"{"list":"s3cret"}"#, ["list"], .notAnArray),
      (#"{"list":["s3cret"]}"#, ["list", "0"], .notAnObject),
    ]
    for (text, expected, fault) in cases {
      let context = try refusal(Outer.self, text)
      #expect(path(context) == expected, "\(text)")
      #expect(context?.debugDescription == fault.rawValue, "\(text)")
      #expect(!String(reflecting: context).contains(secret))
    }
  }

  /// Keys that a type makes of input itself are not repeated either, whatever the type allows as a key.
  @Test func keysMadeOfInputAreNotRepeated() throws {
    struct Word: CodingKey {
      let stringValue: String
      var intValue: Int? { nil }
      init?(stringValue: String) {
        guard stringValue.utf8.allSatisfy({ $0 > 0x20 }) else { return nil }
        self.stringValue = stringValue
      }
      init?(intValue: Int) { nil }
    }
    struct Pointing<Key: CodingKey>: Decodable {
      init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        for key in container.allKeys {
          let next = try Key(stringValue: container.decode(String.self, forKey: key))
          if let next { _ = try container.decode(Int.self, forKey: next) }
        }
      }
    }
    struct Name: CodingKey {
      let stringValue: String
      var intValue: Int? { nil }
      init(stringValue: String) { self.stringValue = stringValue }
      init?(intValue: Int) { nil }
    }
    for (text, fault) in [
      (#"{"a":"s3cret"}"#, DecodingFault.missing), (#"{"s3cret":1}"#, .wrongType),
      (#"{"a":"s3cret","s3cret":"x"}"#, .wrongType),
    ] {
      func check<T: Decodable>(_ type: T.Type) {
        let error = #expect(throws: DecodingError.self) { _ = try decode(type, text) }
        let shown = String(reflecting: error)
        #expect(!shown.contains("s3cret") && shown.contains(fault.rawValue), "\(shown)")
      }
      check(Pointing<Word>.self)
      check(Pointing<Name>.self)
    }
  }

  @Test func dictionariesDoNotMergeNames() throws {
    let text = "{\"\u{E9}\":1,\"e\u{301}\":2}"
    #expect(try refusal([String: Int].self, text)?.debugDescription == DecodingFault.equivalentNames.rawValue)
    #expect(try decode(JSONObject.self, text).members.count == 2)
    #expect(try decode([String: Int].self, "{\"\u{E9}\":1,\"e\":2}").count == 2)
  }

  /// Names are compared as bytes: the composed one is not the decomposed one.
  @Test func namesAreBytes() throws {
    struct Named: Decodable {
      enum CodingKeys: String, CodingKey { case name = "\u{E9}" }
      var name: Int
    }
    #expect(try decode(Named.self, "{\"\u{E9}\":1}").name == 1)
    #expect(try refusal(Named.self, "{\"e\u{301}\":1}")?.debugDescription == DecodingFault.missing.rawValue)
  }

  @Test func largeObjectsAreFoundThroughAnIndex() throws {
    let text = "{" + (0..<20_000).map { #""k\#($0)":\#($0)"# }.joined(separator: ",") + "}"
    let start = ContinuousClock.now
    let decoded = try decode([String: Int].self, text)
    #expect(decoded.count == 20_000 && decoded["k19999"] == 19_999)
    #expect(ContinuousClock.now - start < .seconds(20))
  }

  @Test func depthIsBounded() throws {
    struct Nested: Decodable { var next: [Nested] }
    var value: JSONValue = ["next": []]
    for _ in 0..<40 { value = ["next": [value]] }
    _ = try value.decoded(as: Nested.self)
    for _ in 0..<100 { value = ["next": [value]] }
    #expect(throws: DecodingError.self) { try value.decoded(as: Nested.self) }
  }

  /// Every call of the three containers, by hand.
  private struct Manual: Decodable {
    enum Key: String, CodingKey { case list, object, missing, null }
    var seen: [String] = []

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: Key.self)
      seen.append("keys \(container.allKeys.map(\.rawValue))")
      seen.append("contains \(container.contains(.list)) \(container.contains(.missing))")
      seen.append("nil \(try container.decodeNil(forKey: .null)) \(try container.decodeNil(forKey: .list))")
      seen.append("if \(String(describing: try container.decodeIfPresent(Int.self, forKey: .missing)))")
      seen.append("if \(String(describing: try container.decodeIfPresent(Int.self, forKey: .null)))")
      var list = try container.nestedUnkeyedContainer(forKey: .list)
      seen.append("count \(list.count ?? -1)")
      seen.append("int \(try list.decode(Int.self))")
      seen.append("nil \(try list.decodeNil()) \(try list.decodeNil())")
      let wrong = try? list.decode(Int.self)
      seen.append("wrong \(wrong == nil) at \(list.currentIndex)")
      seen.append("string \(try list.decode(String.self))")
      var inner = try list.nestedUnkeyedContainer()
      seen.append("inner \(try inner.decode(Bool.self)) \(inner.isAtEnd) \(inner.codingPath.map(\.stringValue))")
      let object = try list.nestedContainer(keyedBy: Key.self)
      seen.append("object \(try object.decode(Int.self, forKey: .object))")
      seen.append("super \(try list.superDecoder().singleValueContainer().decode(Int.self))")
      seen.append("end \(list.isAtEnd) \((try? list.decode(Int.self)) == nil) \((try? list.decodeNil()) == nil)")
      seen.append("end \((try? list.superDecoder()) == nil) \((try? list.nestedUnkeyedContainer()) == nil)")
      let nested = try container.nestedContainer(keyedBy: Key.self, forKey: .object)
      seen.append("nested \(try nested.superDecoder().singleValueContainer().decode(String.self))")
      let absent = try container.superDecoder(forKey: .missing)
      seen.append("absent \(try absent.singleValueContainer().decodeNil()) \((try? absent.unkeyedContainer()) == nil)")
      seen.append("absent \((try? absent.container(keyedBy: Key.self)) == nil) \((try? Int(from: absent)) == nil)")
    }
  }

  @Test func containersByHand() throws {
    let text = #"{"list":[1,null,"s",[true],{"object":2},3],"object":{"super":"parent"},"null":null,"other":0}"#
    let seen = try decode(Manual.self, text).seen
    #expect(
      seen == [
        #"keys ["list", "object", "null"]"#, "contains true false", "nil true false", "if nil", "if nil", "count 6",
        "int 1", "nil true false", "wrong true at 2", "string s", #"inner true true ["list", "3"]"#, "object 2",
        "super 3", "end true true true", "end true true", "nested parent", "absent true true", "absent true true",
      ])
  }

  private class Parent: Decodable { var a: Int }
  private final class Child: Parent {
    enum Key: String, CodingKey { case b }
    let b: Int
    required init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: Key.self)
      b = try container.decode(Int.self, forKey: .b)
      try super.init(from: try container.superDecoder())
    }
  }

  @Test func classesWithParents() throws {
    let child = try decode(Child.self, #"{"b":2,"super":{"a":1}}"#)
    #expect(child.a == 1 && child.b == 2)
    #expect(path(try refusal(Child.self, #"{"b":2}"#)) == ["super"])
  }
}
