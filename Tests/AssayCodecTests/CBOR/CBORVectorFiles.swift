import AssayCodec
import Foundation
import TestSupport

/// A file of `Tests/Data`: the cases of `Vectors/cbor` and `Vectors/cose`, with more said about each.
struct VectorFile<Test: Decodable>: Decodable {
  let count: Int
  let tests: [Test]

  static func read(_ path: String) throws -> [Test] {
    let file = try JSONDecoder().decode(Self.self, from: Data(contentsOf: TestData.own.appending(path: path)))
    guard file.count == file.tests.count, file.count > 0 else { throw TestData.Missing(path: "\(path): count") }
    return file.tests
  }
}

/// Bytes written as hexadecimal in a vector file.
struct HexBytes: Decodable {
  let bytes: [UInt8]

  init(from decoder: any Decoder) throws {
    let digits = Array(try decoder.singleValueContainer().decode(String.self).utf8)
    bytes = stride(from: 0, to: digits.count - 1, by: 2).compactMap {
      UInt8(String(decoding: digits[$0...($0 + 1)], as: UTF8.self), radix: 16)
    }
    guard bytes.count * 2 == digits.count else { throw TestData.Missing(path: "hexadecimal digits") }
  }
}

/// The `decoded` of RFC 8949's appendix A: an item as far as JSON can say it.
enum DecodedItem: Decodable {
  case null
  case bool(Bool)
  case unsigned(UInt64)
  case negative(Int64)
  case number(Double)
  case text(String)
  case array([DecodedItem])
  case map([String: DecodedItem])

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let bool = try? container.decode(Bool.self) {
      self = .bool(bool)
    } else if let unsigned = try? container.decode(UInt64.self) {
      self = .unsigned(unsigned)
    } else if let negative = try? container.decode(Int64.self) {
      self = .negative(negative)
    } else if let number = try? container.decode(Double.self) {
      self = .number(number)
    } else if let text = try? container.decode(String.self) {
      self = .text(text)
    } else if let array = try? container.decode([DecodedItem].self) {
      self = .array(array)
    } else {
      self = .map(try container.decode([String: DecodedItem].self))
    }
  }

  /// Whether `item` is what this says. JSON's numbers do not tell integers from floats, so a float may match either.
  func matches(_ item: CBORValue) -> Bool {
    switch (self, item) {
    case (.null, .null): true
    case (.bool(let a), .bool(let b)): a == b
    case (.unsigned(let a), .unsigned(let b)): a == b
    case (.unsigned(let a), .float(let b)): Double(a) == b
    case (.negative(let a), .negative): a == item.int64
    case (.negative(let a), .float(let b)): Double(a) == b
    case (.number(let a), .float(let b)): a == b
    case (.number(let a), .negative(let b)): a == -1 - Double(b)  // −2^64
    case (.text(let a), .text(let b)): Array(a.utf8) == b.utf8
    case (.array(let a), .array(let b)): a.count == b.count && zip(a, b).allSatisfy { $0.matches($1) }
    case (.map(let a), .map(let b)):
      a.count == b.count && a.allSatisfy { name, value in item[UTF8Text(name)].map(value.matches) ?? false }
    default: false
    }
  }
}
