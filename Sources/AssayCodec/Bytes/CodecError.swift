/// Why bytes could not be decoded: what is wrong, in which field, and where. Never holds input.
public struct CodecError: Error, Hashable, Sendable {
  /// The kind of fault.
  @nonexhaustive
  public enum Code: Hashable, Sendable {
    /// The input ends before the structure does.
    case truncated
    /// Bytes are left over after a complete structure.
    case trailingBytes
    /// A byte or character that this format never allows here.
    case invalidCharacter
    /// A length that no encoding of this format can have.
    case invalidLength
    /// Padding is missing, wrong or not allowed.
    case invalidPadding
    /// Bits that must be zero are not (RFC 4648, 3.5).
    case nonZeroTrailingBits
    /// Text is not UTF-8.
    case invalidUTF8
    /// A byte that cannot start or continue the structure being read.
    case malformed
    /// A longer or differently ordered form of something that has one canonical form.
    case nonCanonical
    /// The same member name or map key twice.
    case duplicateKey
    /// Nesting is deeper than the limit.
    case tooDeep
    /// Larger than the limit.
    case tooLarge
    /// A number outside the range that can be represented exactly.
    case numberOutOfRange
    /// Well formed, but of another type than the field must have.
    case wrongType
    /// A field that must be present is not.
    case missing
    /// A value that is well formed but not allowed for the field.
    case invalidValue
    /// Recognised, and not supported.
    case unsupported
  }

  /// The kind of fault.
  public let code: Code
  /// The field being read, in the words of its specification.
  public let field: Field
  /// The absolute offset in the decoded input, in bytes.
  public let offset: Int

  package init(_ code: Code, _ field: Field, at offset: Int) {
    self.code = code
    self.field = field
    self.offset = offset
  }
}

extension CodecError: CustomStringConvertible {
  /// One line for a person: the field, what is wrong with it, and the byte at which reading stopped.
  public var description: String { "\(field): \(code.explanation) (byte \(offset))" }
}

extension CodecError.Code {
  /// What is wrong, in words that read well after a field's name.
  public var explanation: String {
    switch self {
    case .truncated: "the input ends too early"
    case .trailingBytes: "extra input after the end"
    case .invalidCharacter: "a character that is not allowed here"
    case .invalidLength: "this length is impossible or not allowed"
    case .invalidPadding: "the padding is missing, wrong or not allowed"
    case .nonZeroTrailingBits: "the unused bits of the last character are not zero"
    case .invalidUTF8: "the text is not UTF-8"
    case .malformed: "the encoding is malformed"
    case .nonCanonical: "the encoding is not the canonical one"
    case .duplicateKey: "the same name or key occurs twice"
    case .tooDeep: "the nesting is deeper than the limit"
    case .tooLarge: "larger than the limit"
    case .numberOutOfRange: "the number is out of range"
    case .wrongType: "the value has another type than it must have"
    case .missing: "it is required and missing"
    case .invalidValue: "the value is not allowed"
    case .unsupported: "recognised, but not supported"
    }
  }
}
