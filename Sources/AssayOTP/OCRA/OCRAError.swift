public import AssayCodec

/// Why an OCRA suite was refused, or what is to go into a response. Never holds any part of a question, a password or a
/// secret.
public struct OCRAError: Error, Hashable, Sendable {
  /// The kind of fault.
  @nonexhaustive
  public enum Code: Hashable, Sendable, CaseIterable {
    /// The suite is longer than `OCRASuite.maximumBytes`.
    case tooLong
    /// The suite does not have three parts with colons between.
    case malformedSuite
    /// The suite is not of version 1.
    case unsupportedVersion
    /// The function is not HOTP with SHA1, SHA256 or SHA512.
    case unsupportedFunction
    /// The number of digits is neither 0 nor in `OCRASuite.digitsAllowed`.
    case unsupportedDigits
    /// An input is not one of the grammar's, or not in its place.
    case unsupportedInput
    /// A question is empty, too long, or has other characters than its format; or there are not one or two of them.
    case invalidQuestion
    /// A password is missing that the suite asks for, or there is one that it does not ask for, or its hash has another
    /// length than that of the suite's function.
    case invalidPassword
    /// The information about the session is missing or of another length, or there is some that the suite does not ask for.
    case invalidSession
    /// The cryptographic library could not be used.
    case unavailable
  }

  /// The kind of fault.
  public let code: Code
  /// The part of the suite, in the words of RFC 6287.
  public let field: Field
  /// Where in the suite it begins, in bytes; 0 if the fault is not the suite's.
  public let offset: Int

  init(_ code: Code, _ field: Field, at offset: Int = 0) {
    self.code = code
    self.field = field
    self.offset = offset
  }
}

extension OCRAError: CustomStringConvertible {
  /// One line for a person: what is wrong and what to do.
  public var description: String {
    switch code {
    case .tooLong: "the suite is longer than \(OCRASuite.maximumBytes) bytes"
    case .malformedSuite: "the suite is not of the form OCRA-1:HOTP-SHA1-6:QN08"
    case .unsupportedVersion: "the suite does not begin with OCRA-1"
    case .unsupportedFunction: "the function is none of HOTP-SHA1, HOTP-SHA256, HOTP-SHA512 (byte \(offset))"
    case .unsupportedDigits:
      "a response has \(OCRASuite.digitsAllowed.lowerBound) to \(OCRASuite.digitsAllowed.upperBound) digits, or 0 for the whole MAC (byte \(offset))"
    case .unsupportedInput:
      "the inputs must be [C-]QFxx[-PH][-Snnn][-TG], as in C-QN08-PSHA1-S064-T1M (\(field), byte \(offset))"
    case .invalidQuestion:
      "a question must have as many letters, digits or hexadecimal digits as the suite allows, and there are one or two"
    case .invalidPassword: "a password goes into it if the suite has P, and only then"
    case .invalidSession:
      "information about the session goes into it if the suite has S, exactly as many bytes as it says"
    case .unavailable: "the cryptographic library could not be used"
    }
  }
}
