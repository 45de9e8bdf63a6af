public import AssayCodec

/// Why an `otpauth` URI was refused, or a key for one. Never holds any part of it.
public struct OTPKeyError: Error, Hashable, Sendable {
  /// The kind of fault.
  @nonexhaustive
  public enum Code: Hashable, Sendable, CaseIterable {
    /// The URI is longer than `OTPAuthURI.maximumBytes`, or would be.
    case tooLong
    /// It is not a URI of the form `otpauth://type/label?parameters`.
    case invalidURI
    /// The scheme is not `otpauth`.
    case unsupportedScheme
    /// The type is neither `totp` nor `hotp`.
    case unsupportedType
    /// The codes would be written in an unknown way, or in one this cannot be done with.
    case unsupportedEncoder
    /// A percent sign without two hexadecimal digits, or escapes that do not give UTF-8.
    case invalidPercentEncoding
    /// A control character, plain or escaped.
    case controlCharacter
    /// A parameter that has a meaning is there twice.
    case duplicateParameter
    /// There is no secret.
    case missingSecret
    /// The secret has no bytes: everyone could compute its codes.
    case emptySecret
    /// The secret is not base32; in strict mode, not in its one form.
    case invalidSecret
    /// The secret is shorter than `HOTP.minimumSecretBytes`.
    case weakSecret
    /// The secret is longer than `HOTP.maximumSecretBytes`.
    case longSecret
    /// The algorithm is not SHA1, SHA256 or SHA512. It is never taken for another.
    case unsupportedAlgorithm
    /// The number of digits is not allowed, or is no number.
    case invalidDigits
    /// The period is not in `TOTP.periodsAllowed`, or is no whole number.
    case invalidPeriod
    /// The counter is not a whole number from 0 to 2^64-1.
    case invalidCounter
    /// A counter-based key has no counter.
    case missingCounter
    /// The account's name is empty.
    case missingLabel
    /// A colon in the issuer's or the account's name, which parts the two.
    case colonInLabel
    /// The label and the parameter name different issuers.
    case issuerMismatch
  }

  /// The kind of fault.
  public let code: Code
  /// The part of the URI.
  public let part: Field
  /// Where in the URI the part, or the wrong character of it, begins, in bytes; for a secret always the part. 0 if there
  /// is no URI.
  public let offset: Int

  init(_ code: Code, _ part: Field, at offset: Int = 0) {
    self.code = code
    self.part = part
    self.offset = offset
  }
}

extension OTPKeyError: CustomStringConvertible {
  /// One line for a person: what is wrong and what to do.
  public var description: String {
    switch code {
    case .tooLong: "the otpauth URI has more than \(OTPAuthURI.maximumBytes) bytes: shorten the names in it"
    case .invalidURI: "not a URI of the form otpauth://totp/issuer:account?secret=... (byte \(offset))"
    case .unsupportedScheme:
      "the scheme is not otpauth: an otpauth-migration link holds exported keys and is another format"
    case .unsupportedType: "the type after otpauth:// is neither totp nor hotp"
    case .unsupportedEncoder: "the key is for codes that are not decimal digits: these are not supported here"
    case .invalidPercentEncoding:
      "\(part): a percent sign must begin an escape, and escapes must give UTF-8 (byte \(offset))"
    case .controlCharacter: "\(part): a control character"
    case .duplicateParameter: "the parameter \(part) is there twice: one of the two may be forged"
    case .missingSecret:
      "the parameter secret is missing: if the link was copied from a page's source, &amp; must become &"
    case .emptySecret: "the secret is empty: everyone could compute its codes"
    case .invalidSecret: "the secret is not base32: it has the letters A to Z and the digits 2 to 7"
    case .weakSecret: "the secret has fewer than \(HOTP.minimumSecretBytes * 8) bits: ask the issuer for a longer one"
    case .longSecret: "the secret is longer than \(HOTP.maximumSecretBytes) bytes"
    case .unsupportedAlgorithm: "the algorithm is none of SHA1, SHA256, SHA512"
    case .invalidDigits:
      "digits must be a number from \(HOTP.digitsAllowed.lowerBound) to \(HOTP.digitsAllowed.upperBound), in strict mode to \(OTPAuthURI.strictDigits.upperBound)"
    case .invalidPeriod:
      "the period must be a number of seconds from \(TOTP.periodsAllowed.lowerBound) to \(TOTP.periodsAllowed.upperBound)"
    case .invalidCounter: "the counter must be a number from 0 to \(UInt64.max)"
    case .missingCounter: "the parameter counter is missing: a counter-based key needs it"
    case .missingLabel: "the account's name is empty: give what the user knows the account by"
    case .colonInLabel: "a colon in the issuer's or the account's name: it parts the two, so neither may have one"
    case .issuerMismatch: "the label names another issuer than the parameter issuer"
    }
  }
}
