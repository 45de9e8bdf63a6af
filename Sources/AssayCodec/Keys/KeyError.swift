/// Why a key was refused, said so that the person who has the key knows what to do. Never holds key material.
public struct KeyError: Error, Hashable, Sendable {
  /// The kind of fault.
  @nonexhaustive
  public enum Reason: Hashable, Sendable {
    /// The encoding cannot be read.
    case malformed(CodecError)
    /// A parameter or member that is missing or cannot be what it is.
    case invalid(Field, CodecError.Code)
    /// Two parts of the key that name different things.
    case contradiction(Field, Field)
    /// A number that starts with a zero byte where its format forbids that.
    case leadingZero(Field)
    /// Not a key but something else that is recognised, named in plain words.
    case notAKey(what: Field)
    /// A password is needed to read this key.
    case encrypted
    /// The password is wrong, or the encrypted key is damaged: the two cannot be told apart.
    case wrongPassword
    /// Reading the key would take more work than the limit allows.
    case tooMuchWork(what: Field, maximum: UInt64)
    /// A kind of key, or a version of a format, that is recognised and not supported.
    case unsupported(what: Field)
    /// A key of ML-DSA (FIPS 204), which the versions of OpenSSL that this library is made for do not all have.
    case mlDSAUnsupported
    /// The key cannot be used with the algorithm.
    case wrongKind(key: String, algorithm: String, needed: Field)
    /// The key itself names another algorithm than the one asked for.
    case algorithmMismatch(algorithm: String)
    /// The key's own `use`, `key_ops` or key usage does not allow what was asked.
    case usageNotAllowed(what: Field)
    /// A private key was given where a public key belongs.
    case privateKeyNotAllowed
    /// A public key was given where a private key is needed.
    case privateKeyRequired
    /// A symmetric key was given where a public or private key belongs.
    case symmetricKeyNotAllowed
    /// A symmetric key has fewer bytes than are needed.
    case secretTooShort(bytes: Int, minimum: Int)
    /// The content of a key file was given where a shared secret belongs.
    case keyFileAsSecret
    /// A coordinate, scalar or encoded point has the wrong length.
    case wrongLength(field: Field, expected: Int, actual: Int)
    /// The point is not on the curve, or is the point at infinity.
    case notOnCurve
    /// The point has small order, so that one signature would fit every message (RFC 8032, 5.1.7; RFC 7748, 7).
    case smallOrder
    /// The RSA modulus has fewer bits than the minimum, or more than the maximum.
    case modulusSize(bits: Int, minimum: Int, maximum: Int)
    /// The RSA modulus is even.
    case evenModulus
    /// The RSA exponent is even, below 3, or 2^64 and above.
    case badExponent
    /// Numbers of one key that do not belong together.
    case inconsistent
    /// A private key, and in the same file the public key or certificate of another.
    case anotherKeyBeside
    /// The cryptographic library refused the key, or could not be used.
    case refused
  }

  /// What is wrong.
  public let reason: Reason

  package init(_ reason: Reason) { self.reason = reason }
}

extension KeyError: CustomStringConvertible {
  /// One line for a person: what is wrong with the key and, where it helps, what would be right.
  public var description: String {
    switch reason {
    case .malformed(let fault): "the key cannot be read: \(fault)"
    case .invalid(let field, let code): "the key cannot be used: \(field): \(code.explanation)"
    case .contradiction(let one, let other): "the key's \(one) and \(other) do not belong together"
    case .leadingZero(let field):
      "\(field) starts with a zero byte: it must be written without the sign byte that ASN.1 puts there"
    case .notAKey(let what): "this is \(what), not a key"
    case .encrypted: "this key is encrypted: a password is needed"
    case .wrongPassword: "the password is wrong, or the encrypted key is damaged"
    case .tooMuchWork(let what, let maximum):
      "this encrypted key asks for too much work: \(what) is above the limit of \(maximum)"
    case .unsupported(let what): "\(what) is not supported"
    case .mlDSAUnsupported: "ML-DSA is not supported: OpenSSL before 3.5 has none"
    case .wrongKind(let key, let algorithm, let needed): "this is a \(key) key, \(algorithm) needs \(needed)"
    case .algorithmMismatch(let algorithm): "the key is marked for another algorithm than \(algorithm)"
    case .usageNotAllowed(let what): "the key's \(what) does not allow this use"
    case .privateKeyNotAllowed: "this is a private key: give the public key here, and keep the private one secret"
    case .privateKeyRequired: "this is a public key: a private key is needed to sign"
    case .symmetricKeyNotAllowed:
      "this is a symmetric key (kty oct), whose holder can both sign and verify: a public or private key is needed"
    case .secretTooShort(let bytes, let minimum):
      bytes == 0
        ? "the secret (k) is empty, so that anyone could sign"
        : "the secret (k) is too short: it has \(bytes) bytes, at least \(minimum) are needed"
    case .keyFileAsSecret:
      "this is the content of a key file, not a shared secret: a public key verifies by a signature algorithm, not by HMAC"
    case .wrongLength(let field, let expected, let actual):
      "\(field) has the wrong length: \(actual) bytes, it must have \(expected)"
    case .notOnCurve: "the public key is not a point on its curve"
    case .smallOrder: "the public key is a point of small order, which would let anyone forge signatures"
    case .modulusSize(let bits, let minimum, let maximum):
      "this RSA key has \(bits) bits, allowed are \(minimum) to \(maximum)"
    case .evenModulus: "the RSA modulus is even"
    case .badExponent: "the RSA exponent must be odd, at least 3 and below 2^64"
    case .inconsistent:
      "the private numbers of this key are inconsistent: they do not match each other or the public key"
    case .anotherKeyBeside:
      "the private key does not match the public key or certificate beside it: keep in one file what belongs together"
    case .refused: "the cryptographic library refused this key"
    }
  }
}
