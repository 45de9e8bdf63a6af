/// One CBOR data item (RFC 8949), with its content and without the way it was written down: how wide an integer or a
/// float was, and whether a length was definite, is not kept.
public enum CBORValue: Sendable {
  /// An unsigned integer (major type 0).
  case unsigned(UInt64)
  /// The negative integer −1 − n (major type 1): `negative(0)` is −1, `negative(.max)` is −2^64.
  case negative(UInt64)
  /// A byte string (major type 2).
  case bytes([UInt8])
  /// A text string (major type 3), valid UTF-8.
  case text(UTF8Text)
  /// An array (major type 4).
  case array([CBORValue])
  /// A map (major type 5), in the order in which it was read, no key twice.
  case map([CBORMapEntry])
  /// A tag number and its content (major type 6).
  indirect case tagged(UInt64, CBORValue)
  /// A simple value other than those below (RFC 8949, 3.3): 0–19 or 32–255.
  case simple(UInt8)
  /// `false` or `true`.
  case bool(Bool)
  /// `null`.
  case null
  /// `undefined`.
  case undefined
  /// A float of any width, widened without loss, NaN payload included.
  case float(Double)
}

/// A key of a CBOR map and its value.
public struct CBORMapEntry: Hashable, Sendable {
  /// The key, which may be any data item.
  public var key: CBORValue
  /// The value.
  public var value: CBORValue

  /// Joins a key and a value.
  public init(_ key: CBORValue, _ value: CBORValue) {
    self.key = key
    self.value = value
  }
}

extension CBORValue: Hashable {
  /// Whether both have the same deterministic encoding: the order of a map does not matter, 0.0 differs from −0.0, and
  /// NaN equals NaN if their payloads are equal (RFC 8949, 5.6.1).
  public static func == (a: CBORValue, b: CBORValue) -> Bool { a.encoded() == b.encoded() }

  /// Hashes the deterministic encoding.
  public func hash(into hasher: inout Hasher) { hasher.combine(encoded()) }
}

extension CBORValue {
  /// The item for an integer.
  public init(_ number: Int64) {
    self = number >= 0 ? .unsigned(UInt64(number)) : .negative(UInt64(-1 - number))
  }

  /// The integer, or nil if this is none or it is outside the range of Int64.
  public var int64: Int64? {
    switch self {
    case .unsigned(let number): Int64(exactly: number)
    case .negative(let number): Int64(exactly: number).map { -1 - $0 }
    default: nil
    }
  }

  /// The byte string, or nil if this is none.
  public var bytes: [UInt8]? {
    if case .bytes(let bytes) = self { bytes } else { nil }
  }

  /// The text string, or nil if this is none.
  public var text: UTF8Text? {
    if case .text(let text) = self { text } else { nil }
  }

  /// The truth value, or nil if this is none.
  public var bool: Bool? {
    if case .bool(let bool) = self { bool } else { nil }
  }

  /// The array, or nil if this is none.
  public var array: [CBORValue]? {
    if case .array(let elements) = self { elements } else { nil }
  }

  /// The map's entries, or nil if this is no map.
  public var map: [CBORMapEntry]? {
    if case .map(let entries) = self { entries } else { nil }
  }

  /// The value a map holds under an integer label; nil if it has none, or this is no map.
  public subscript(label: Int64) -> CBORValue? { map?.first { $0.key.int64 == label }?.value }

  /// The value a map holds under a name; nil if it has none, or this is no map.
  public subscript(name: UTF8Text) -> CBORValue? { map?.first { $0.key.text == name }?.value }
}
