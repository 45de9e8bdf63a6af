/// What can be wrong with a value, in fixed words.
package enum DecodingFault: String, Error, CaseIterable {
  case wrongType = "the value has another JSON type"
  case notAnInteger = "an integer is written without fraction and exponent"
  case outOfRange = "the number does not fit the type"
  case notATime = "a time is a number from 0 to the year 9999, in seconds since 1970"
  case notBytes = "bytes are base64url text without padding"
  case notAURL = "the text is not a URL"
  case notAnObject = "the value is not an object"
  case notAnArray = "the value is not an array"
  case null = "the value is null"
  case missing = "the member is missing"
  case atEnd = "the array has no more elements"
  case equivalentNames = "two names are different texts and equal as String: decode a JSONObject"
  case tooDeep = "the value is nested too deeply"
  case foreign = "link AssayFoundation to decode this type; Decimal is not decoded"
  case foreignDecoder = "this type is decoded by Assay's own decoder only"
  case refused = "the type refuses the value"
}

/// A position, in place of a name that could be input.
struct PathKey: CodingKey {
  let position: Int

  init(_ position: Int) { self.position = position }
  init?(intValue: Int) { self.init(intValue) }
  init?(stringValue: String) { nil }

  var intValue: Int? { position }
  var stringValue: String { "\(position)" }
}

extension CodingKey {
  /// Whether any name makes such a key, as for a dictionary: then a key may be made of input.
  static var isOpen: Bool { Self(stringValue: "\u{0}") != nil }

  /// Whether this one may be made of input. The cases of an enumeration are the type's own words.
  fileprivate var mayBeInput: Bool { Self.isOpen || Mirror(reflecting: self).displayStyle != .enum }
}

extension DecodingError {
  /// This error without words and names that are not ours or the type's. A raw value that is none of an enumeration's is
  /// quoted by Swift's own library.
  var withoutInput: DecodingError {
    switch self {
    case .typeMismatch(let type, let context): .typeMismatch(type, context.withoutInput)
    case .valueNotFound(let type, let context): .valueNotFound(type, context.withoutInput)
    case .keyNotFound(let key, let context):
      .keyNotFound(key.mayBeInput ? PathKey(context.codingPath.count) : key, context.withoutInput)
    case .dataCorrupted(let context): .dataCorrupted(context.withoutInput)
    @unknown default: .dataCorrupted(Context(codingPath: [], debugDescription: DecodingFault.refused.rawValue))
    }
  }
}

extension DecodingError.Context {
  fileprivate var withoutInput: DecodingError.Context {
    let fault = DecodingFault(rawValue: debugDescription) ?? .refused
    let path = codingPath.enumerated().map { depth, key -> any CodingKey in
      !(key is PathKey) && key.mayBeInput ? PathKey(depth) : key
    }
    return DecodingError.Context(codingPath: path, debugDescription: fault.rawValue)
  }
}
