import AssayCodec
import Foundation
import Testing

/// Our decoder beside Foundation's `JSONDecoder`, on documents of every kind and types of every kind.
@Suite struct DecoderComparisonTests {
  /// What one decoder made of a document.
  enum Outcome: Equatable, Sendable, CustomStringConvertible {
    case value(String)
    case typeMismatch, valueNotFound, keyNotFound, dataCorrupted, otherError

    var description: String {
      switch self {
      case .value(let text): text
      case .typeMismatch: "typeMismatch"
      case .valueNotFound: "valueNotFound"
      case .keyNotFound: "keyNotFound"
      case .dataCorrupted: "dataCorrupted"
      case .otherError: "otherError"
      }
    }

    init(_ body: () throws -> Any) {
      do {
        self = .value(String(reflecting: try body()))
      } catch let error as DecodingError {
        switch error {
        case .typeMismatch: self = .typeMismatch
        case .valueNotFound: self = .valueNotFound
        case .keyNotFound: self = .keyNotFound
        case .dataCorrupted: self = .dataCorrupted
        @unknown default: self = .otherError
        }
      } catch { self = .otherError }
    }

    var isValue: Bool { if case .value = self { true } else { false } }
  }

  struct Pair: Sendable, CustomStringConvertible {
    let name: String
    let ours: @Sendable (JSONValue) -> Outcome
    let theirs: @Sendable (String) -> Outcome
    var description: String { name }

    init<T: Decodable & SendableMetatype>(_ type: T.Type) {
      name = "\(type)"
      ours = { value in Outcome { try value.decoded(as: type) } }
      theirs = { text in Outcome { try JSONDecoder().decode(type, from: Data(text.utf8)) } }
    }
  }

  struct Person: Decodable {
    var name: String
    var age: Int?
    var tags: [String]?
  }
  enum Level: String, Decodable { case low, high }
  enum Number: Int, Decodable { case one = 1, two }
  enum Shape: Decodable { case circle(radius: Int), square(Int), none }
  indirect enum Tree: Decodable { case leaf, node(left: Tree, right: Tree) }
  struct Recursive: Decodable { var next: [Recursive]? }
  struct Wrapper: RawRepresentable, Decodable { var rawValue: UInt16 }
  class Base: Decodable { var a = 0 }

  static let types: [Pair] = [
    Pair(Bool.self), Pair(String.self), Pair(Int.self), Pair(Int8.self), Pair(Int16.self), Pair(Int32.self),
    Pair(Int64.self), Pair(UInt.self), Pair(UInt8.self), Pair(UInt16.self), Pair(UInt32.self), Pair(UInt64.self),
    Pair(Double.self), Pair(Float.self), Pair(Int?.self), Pair([Int].self), Pair([Int?].self), Pair([String].self),
    Pair([UInt8].self), Pair([String: Int].self), Pair([String: Int?].self), Pair([Int: String].self),
    Pair([String: [String]].self), Pair([[Int]].self), Pair(Person.self), Pair([Person].self), Pair(Person?.self),
    Pair(Level.self), Pair(Number.self), Pair(Shape.self), Pair(Tree.self), Pair(Recursive.self), Pair(Wrapper.self),
    Pair(ContiguousArray<Int>.self), Pair(ClosedRange<Int>.self), Pair(UUID.self),
  ]

  static let documents = [
    "null", "true", "false", "0", "1", "-1", "2", "127", "128", "255", "256", "65535", "65536", "-128", "-129",
    "2147483647", "4294967295", "9007199254740993", "9223372036854775807", "-9223372036854775808",
    "18446744073709551615", "0.5", "3.4e38", "1e300", "1e-300", #""""#, #""1""#, #""low""#, #""medium""#, #""true""#,
    #""é\u0000\ud83d\ude00""#, "[]", "[1]", "[1,2]", "[1,null]", "[null]", "[300]", #"["a"]"#, #"["a",1]"#, "[[1],[2]]",
    "[[]]", "{}", #"{"a":1}"#, #"{"a":null}"#, #"{"a":"b"}"#, #"{"1":"b"}"#, #"{"a":["b"]}"#, #"{"name":"x"}"#,
    #"{"name":"x","age":5}"#, #"{"name":"x","age":null,"tags":["t"],"more":{}}"#, #"{"name":null}"#,
    #"{"name":"x","age":"5"}"#, #"[{"name":"x"},{"name":"y"}]"#, #"[{"name":"x"},{}]"#, #"{"circle":{"radius":3}}"#,
    #"{"square":{"_0":3}}"#, #"{"none":{}}"#, #"{"circle":{},"none":{}}"#, #"{"next":[{"next":[]},{}]}"#,
    #"{"node":{"left":{"leaf":{}},"right":{"node":{"left":{"leaf":{}},"right":{"leaf":{}}}}}}"#,
    #""E621E1F8-C36C-495A-93FC-0C247A3E6E5F""#, "[5,3]", "[3,5]", #"{"Name":"x"}"#,
  ]

  /// Both give the same value, or both refuse.
  @Test(arguments: types) func sameVerdict(_ type: Pair) throws {
    var accepted = 0
    for text in Self.documents {
      let ours = type.ours(try JSONValue.decode(Array(text.utf8).span))
      let theirs = type.theirs(text)
      if ours.isValue || theirs.isValue { #expect(ours == theirs, "\(type) of \(text)") }
      if ours.isValue { accepted += 1 }
    }
    #expect(accepted > 0)
  }

  /// Where the two differ, and that it is only there.
  @Test(arguments: [
    (Pair(Int.self), "1.0", Outcome.typeMismatch, "1"), (Pair(Int.self), "1e2", .typeMismatch, "100"),
    (Pair(UInt8.self), "2.0", .typeMismatch, "2"), (Pair([Int].self), "[1.0]", .typeMismatch, "[1]"),
  ])
  func stricter(_ type: Pair, _ text: String, _ ours: Outcome, _ theirs: String) throws {
    #expect(type.ours(try JSONValue.decode(Array(text.utf8).span)) == ours)
    #expect(type.theirs(text) == .value(theirs))
  }
}
