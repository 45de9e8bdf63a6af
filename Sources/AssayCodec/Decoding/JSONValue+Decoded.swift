extension JSONValue {
  /// Makes a value of a `Decodable` type out of this one.
  ///
  /// Strict: an integer is one that was written without fraction or exponent and fits its type; nothing is rounded to fit, nothing
  /// is converted (`"1"` is no number, `0` is no truth value), and `null` is the absence of a value for an optional and an
  /// error for anything else. Names are compared byte for byte. Members that the type does not ask for are ignored.
  ///
  /// Bytes are an array of numbers for `[UInt8]`. `UTF8Text`, `JSONValue` and `JSONObject` are taken as they are, `UnixTime`
  /// is a NumericDate (RFC 7519, 2). Foundation's `Date`, `Data` and `URL` are read where the program links
  /// AssayFoundation, and refused where it does not, since what they read by themselves is something else.
  /// - Throws: `DecodingError`, with the path and what is wrong there, and none of the input; or what the type's own
  ///   `init(from:)` throws that is no `DecodingError`.
  public func decoded<Value: Decodable>(as type: Value.Type) throws -> Value {
    do {
      return try JSONValueDecoder(self, path: []).decoded(as: type)
    } catch let error as DecodingError {
      throw error.withoutInput
    }
  }
}

/// A `Decoder` over a value that was read already: one text, one parser.
struct JSONValueDecoder: Decoder {
  let value: JSONValue
  let codingPath: [any CodingKey]
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  init(_ value: JSONValue, path: [any CodingKey]) {
    self.value = value
    codingPath = path
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    guard case .object(let object) = value else { throw mismatch([String: JSONValue].self, .notAnObject) }
    return KeyedDecodingContainer(try JSONKeyedContainer(object, path: codingPath))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    guard case .array(let elements) = value else { throw mismatch([JSONValue].self, .notAnArray) }
    return JSONUnkeyedContainer(elements, path: codingPath)
  }

  func singleValueContainer() -> any SingleValueDecodingContainer { JSONSingleContainer(decoder: self) }

  /// The one way by which any value is decoded, wherever it stands.
  func decoded<Value: Decodable>(as type: Value.Type) throws -> Value {
    // A value that was built rather than read can be deeper than any text.
    guard codingPath.count <= JSONLimits.deepestNesting else { throw corrupted(.tooDeep) }
    guard let direct = type as? any DirectlyDecodable.Type else {
      guard !ForeignType.isMisread(type) else { throw mismatch(type, .foreign) }
      return try type.init(from: self)
    }
    guard value != .null else { throw mismatch(type, .null) }
    do throws(DecodingFault) {
      guard let result = try direct.init(json: value) as? Value else { throw DecodingFault.wrongType }
      return result
    } catch {
      switch error {
      case .wrongType, .notAnInteger: throw mismatch(type, error)
      default: throw corrupted(error)
      }
    }
  }

  func mismatch(_ type: any Any.Type, _ fault: DecodingFault) -> DecodingError {
    let context = DecodingError.Context(codingPath: codingPath, debugDescription: fault.rawValue)
    return value == .null ? .valueNotFound(type, context) : .typeMismatch(type, context)
  }

  private func corrupted(_ fault: DecodingFault) -> DecodingError {
    .dataCorrupted(DecodingError.Context(codingPath: codingPath, debugDescription: fault.rawValue))
  }
}

/// One value as a container.
struct JSONSingleContainer: SingleValueDecodingContainer {
  let decoder: JSONValueDecoder
  var codingPath: [any CodingKey] { decoder.codingPath }

  func decodeNil() -> Bool { decoder.value == .null }

  func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try decoder.decoded(as: type) }
}

/// Types whose own `init(from:)` reads something else than what tokens hold: a `Date` counts from 2001.
enum ForeignType {
  private static let names: [UTF8Text] = [
    "Foundation.Date", "FoundationEssentials.Date", "Foundation.Data", "FoundationEssentials.Data", "Foundation.URL",
    "FoundationEssentials.URL", "Foundation.Decimal", "FoundationEssentials.Decimal", "__C.NSDecimal",
  ]

  static func isMisread(_ type: any Any.Type) -> Bool { names.contains(UTF8Text(String(reflecting: type))) }
}
