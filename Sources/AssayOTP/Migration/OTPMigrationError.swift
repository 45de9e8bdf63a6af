public import AssayCodec

/// Why an `otpauth-migration` link was refused, or keys for one. Never holds any part of it.
public struct OTPMigrationError: Error, Hashable, Sendable {
  /// The kind of fault.
  @nonexhaustive
  public enum Code: Hashable, Sendable, CaseIterable {
    /// The link is longer than `OTPMigration.maximumBytes`, or would be.
    case tooLong
    /// It is not a URI of the form `otpauth-migration://offline?data=`.
    case invalidURI
    /// The scheme is not `otpauth-migration`.
    case unsupportedScheme
    /// What follows the scheme is not `offline`.
    case unsupportedHost
    /// There is no `data`, or nothing in it.
    case missingData
    /// `data` is there twice.
    case duplicateData
    /// A percent sign without two hexadecimal digits.
    case invalidPercentEncoding
    /// `data` is not base64.
    case invalidBase64
    /// A field ends after its message does.
    case truncated
    /// A number has more bits than 64.
    case malformedVarint
    /// A field's number is not one.
    case malformedField
    /// A field is a group, or of a kind that does not exist.
    case unsupportedWireType
    /// A field is of another kind than it must be.
    case wrongWireType
    /// A field that may be there once is there twice.
    case duplicateField
    /// There are more keys than `OTPMigration.maximumKeys`.
    case tooManyKeys
    /// A name is not UTF-8.
    case invalidUTF8
    /// A name has a control character.
    case controlCharacter
    /// A key has no secret: everyone could compute its codes.
    case emptySecret
    /// A secret is longer than `HOTP.maximumSecretBytes`.
    case longSecret
    /// The algorithm is not SHA1, SHA256 or SHA512: MD5, or an unknown one. It is never taken for another.
    case unsupportedAlgorithm
    /// The number of digits is neither 6 nor 8.
    case unsupportedDigits
    /// The key is neither time-based nor counter-based.
    case unsupportedType
    /// The counter is below 0, or too large to be written.
    case invalidCounter
    /// The place of this part is not one among as many as it says there are, or there are more than
    /// `OTPMigration.maximumParts`.
    case invalidBatch
    /// A key that is to be written is Steam Guard's: the format does not have these.
    case unsupportedEncoder
    /// A key that is to be written has another period than 30 seconds: the format has no other.
    case unsupportedPeriod
    /// There is no key to write.
    case noKeys
    /// The part belongs to another export.
    case otherBatch
    /// The part is there already.
    case repeatedPart
    /// A part is still missing.
    case missingPart
  }

  /// The kind of fault.
  public let code: Code
  /// The part of the link, or the field of the message in it, by its name.
  public let field: Field
  /// Where it begins: in the link, or for a fault of the message in the bytes that `data` encodes. 0 if neither is there.
  public let offset: Int

  init(_ code: Code, _ field: Field, at offset: Int = 0) {
    self.code = code
    self.field = field
    self.offset = offset
  }
}

extension OTPMigrationError: CustomStringConvertible {
  /// One line for a person: what is wrong and what to do.
  public var description: String {
    switch code {
    case .tooLong: "the link has more than \(OTPMigration.maximumBytes) bytes: export fewer keys at once"
    case .invalidURI: "not a link of the form otpauth-migration://offline?data=... (byte \(offset))"
    case .unsupportedScheme: "the scheme is not otpauth-migration: an otpauth link holds one key and is another format"
    case .unsupportedHost: "what follows otpauth-migration:// is not offline"
    case .missingData: "the parameter data is missing or empty: scan or copy the whole link"
    case .duplicateData: "the parameter data is there twice: one of the two may be forged"
    case .invalidPercentEncoding: "\(field): a percent sign must begin an escape (byte \(offset))"
    case .invalidBase64: "data is not base64: scan or copy the link again"
    case .truncated: "\(field): a field ends after its message (byte \(offset)): scan or copy the whole link"
    case .malformedVarint: "\(field): a number has more than 64 bits (byte \(offset))"
    case .malformedField: "\(field): a field has a number that none can have (byte \(offset))"
    case .unsupportedWireType: "\(field): a field of a kind that is not read (byte \(offset))"
    case .wrongWireType: "\(field): the field is of another kind than it must be (byte \(offset))"
    case .duplicateField: "\(field): the field is there twice (byte \(offset)): one of the two may be forged"
    case .tooManyKeys: "there are more than \(OTPMigration.maximumKeys) keys: export fewer at once"
    case .invalidUTF8: "\(field): the text is not UTF-8 (byte \(offset))"
    case .controlCharacter: "\(field): a control character"
    case .emptySecret: "a key has no secret: everyone could compute its codes"
    case .longSecret: "a secret is longer than \(HOTP.maximumSecretBytes) bytes"
    case .unsupportedAlgorithm: "the algorithm of a key is none of SHA1, SHA256, SHA512 (byte \(offset))"
    case .unsupportedDigits: "a key has neither 6 nor 8 digits: the format has no other"
    case .unsupportedType: "a key is neither time-based nor counter-based (byte \(offset))"
    case .invalidCounter: "a counter is not a number from 0 to \(Int64.max)"
    case .invalidBatch:
      "the link is not one of as many as it says there are, or these are more than \(OTPMigration.maximumParts)"
    case .unsupportedEncoder: "a key is for Steam Guard: the format has no such keys"
    case .unsupportedPeriod: "a key has another period than 30 seconds: the format has no other"
    case .noKeys: "there is no key to write"
    case .otherBatch: "the link belongs to another export: read the links of one export together"
    case .repeatedPart: "link \(offset + 1) of the export is there twice: scan each once"
    case .missingPart: "link \(offset + 1) of the export is missing: scan them all"
    }
  }
}
