public import AssayCodec
public import AssayCrypto

/// Why a token was refused, or could not be made: what is wrong, at which step, in which field. Never holds input.
///
/// Safe to log and to show: it holds no part of a token, of a key or of a claim. A signature that does not verify is
/// one code without detail.
public struct JWTError: Error, Hashable, Sendable {
  /// A step of the verification, in the order in which the steps are taken.
  @nonexhaustive
  public enum Step: Hashable, Sendable, CaseIterable {
    /// The token is no longer than the limit.
    case size
    /// Three segments of strict base64url between two dots.
    case shape
    /// The header is a JSON object that asks for nothing unknown (RFC 7515, 4).
    case header
    /// The token's algorithm is one of those allowed.
    case algorithm
    /// A key of the issuer made for that algorithm.
    case key
    /// The signature is that key's.
    case signature
    /// What the claims say of issuer, audience and time (RFC 7519, 4.1).
    case claims
    /// Making a token.
    case signing
  }

  /// The kind of fault.
  @nonexhaustive
  public enum Code: Hashable, Sendable {
    /// More bytes than the limit allows.
    case tooLarge(limit: Int)
    /// Not three segments between two dots.
    case notCompact
    /// Not a JWS in JSON form: neither the flattened nor the general one, or both at once (RFC 7515, 7.2).
    case notJSONForm
    /// No signature at all.
    case noSignatures
    /// More signatures than will be verified.
    case tooManySignatures(limit: Int)
    /// The payload is with the token, and was also given apart; or neither.
    case payloadNotAsExpected
    /// A header parameter stands in the protected and in the unprotected header.
    case duplicateParameter
    /// A header parameter that counts only where it is signed stands in the unprotected header.
    case notProtected
    /// The signatures do not agree on how the payload was signed (RFC 7797, 3).
    case mixedPayloadEncodings
    /// Five segments: an encrypted token (JWE), not a signed one.
    case encrypted
    /// A segment is not base64url, or what it holds is not JSON. The offset counts in the token for the first kind of
    /// fault, in the decoded segment for the second.
    case malformed(CodecError)
    /// The header or the claims are JSON, but not an object.
    case notAnObject
    /// A header parameter or claim that must be there is not.
    case missing
    /// A claim that the verifier's own configuration requires is not there.
    case requiredClaimMissing(UTF8Text)
    /// A header parameter or claim has another JSON type than it must have.
    case wrongType
    /// The token says that it is not signed (`alg` none).
    case unsecured
    /// An algorithm this library does not have.
    case algorithmUnsupported
    /// ML-DSA (FIPS 204), which the versions of OpenSSL that this library is made for do not all have.
    case mlDSAUnsupported
    /// An algorithm that was not allowed for this issuer.
    case algorithmNotAllowed
    /// The token asks for an extension that must be understood and is not (`crit`, `b64`).
    case extensionNotUnderstood
    /// The header's `typ` is not the expected one.
    case wrongTokenType
    /// The claims are another token (`cty` JWT).
    case nested
    /// The token names a key that the issuer does not have.
    case unknownKeyID
    /// The key that the token names, or every key of the issuer, is for other algorithms.
    case noKeyForAlgorithm
    /// The token names no key, and more keys could have made it than will be tried.
    case tooManyKeys(limit: Int)
    /// More certificates than will be read.
    case tooManyCertificates(limit: Int)
    /// No path leads from the token's certificate to an anchor that is trusted.
    case certificateRefused(CertificatePathError)
    /// The token's certificate is an authority's, or not for signing tokens (basicConstraints, keyUsage, extKeyUsage).
    case certificateNotForSigning
    /// The token's certificate is good, and someone else's than the signer's.
    case wrongSigner
    /// The token names another certificate by its digest (`x5t`, `x5t#S256`).
    case certificateMismatch
    /// The signature does not verify.
    case invalidSignature
    /// A NumericDate is negative or after the year 9999.
    case dateOutOfRange
    /// The token's time is over.
    case expired
    /// The token's time has not come.
    case notYetValid
    /// The token was issued in the future.
    case issuedInFuture
    /// The token was issued longer ago than allowed.
    case tooOld
    /// Another issuer than the expected, or none that is trusted.
    case wrongIssuer
    /// The token is for other audiences.
    case wrongAudience
    /// The token is for a certain audience, and none was configured.
    case unexpectedAudience
    /// A claim is not what this use of the token demands.
    case mismatch
    /// A claim that this kind of token does not have.
    case unexpected
    /// A claim has the right type and a value that is not allowed.
    case invalidValue
    /// The token is valid for longer than allowed.
    case lifetimeTooLong(limit: Int64)
    /// Not exactly one DPoP proof.
    case notOneProof
    /// The key that the token brings is not one that may be used.
    case keyRefused(KeyError)
    /// A header parameter or claim that the signer writes itself.
    case reserved
    /// A payload that this form cannot carry unencoded (RFC 7797, 5.2 and 5.3).
    case payloadNotCarried
    /// The key could not sign, or could not be used.
    case signingFailed
  }

  /// The kind of fault.
  public let code: Code
  /// The step that failed.
  public let step: Step
  /// The segment, header parameter or claim it was found in, if it was found in one.
  public let field: Field?

  package init(_ code: Code, _ step: Step, _ field: Field? = nil) {
    self.code = code
    self.step = step
    self.field = field
  }
}

extension JWTError: CustomStringConvertible {
  /// One line for a person: where the fault is, what it is and, where it helps, what to do.
  public var description: String {
    guard let field else { return code.explanation }
    guard case .malformed(let fault) = code else { return "\(field): \(code.explanation)" }
    let place = step == .shape ? "base64url, byte \(fault.offset) of the token" : "\(fault.field), byte \(fault.offset)"
    return "\(field): \(code.explanation) (\(place))"
  }
}

extension JWTError.Code {
  /// What is wrong, in words that read well after a field's name.
  public var explanation: String {
    switch self {
    case .tooLarge(let limit): "the token is longer than \(limit) bytes"
    case .notCompact: "this is not a compact token: it must be three base64url segments between two dots"
    case .notJSONForm: "this is not a JWS in JSON form: it must have either signature or signatures"
    case .noSignatures: "there is no signature"
    case .tooManySignatures(let limit): "it has more than \(limit) signatures"
    case .payloadNotAsExpected: "the payload must be either in the token or given apart, not both and not neither"
    case .duplicateParameter: "a parameter stands in both headers"
    case .notProtected: "it counts only in the protected header, where it is signed"
    case .mixedPayloadEncodings: "all signatures must agree on b64"
    case .encrypted: "this is an encrypted token (JWE), only signed ones can be verified"
    case .malformed(let fault): "it cannot be read: \(fault.code.explanation)"
    case .notAnObject: "it must be a JSON object"
    case .missing: "it is required and missing"
    case .requiredClaimMissing(let name): "the claim \(name.string) is required and missing"
    case .wrongType: "it has the wrong JSON type"
    case .unsecured: "the token is not signed"
    case .algorithmUnsupported: "this algorithm is not supported"
    case .mlDSAUnsupported: "ML-DSA is not supported: OpenSSL before 3.5 has none"
    case .algorithmNotAllowed: "this algorithm is not allowed here"
    case .extensionNotUnderstood: "the token asks for an extension that is not understood"
    case .wrongTokenType: "this is another type of token than the one expected"
    case .nested: "the token holds another token, which is not supported"
    case .unknownKeyID: "the issuer has no key of this name; if its keys were changed, load them again"
    case .noKeyForAlgorithm: "the issuer has no such key for the token's algorithm"
    case .tooManyKeys(let limit): "the token does not name its key and more than \(limit) keys fit it"
    case .tooManyCertificates(let limit): "it has more than \(limit) certificates"
    case .certificateRefused(let fault): "\(fault)"
    case .certificateNotForSigning: "the certificate may not sign tokens"
    case .wrongSigner: "the certificate is not the issuer's"
    case .certificateMismatch: "this is not the digest of the certificate that is used here"
    case .invalidSignature: "the signature is not valid"
    case .dateOutOfRange: "it must be from 0 to \(NumericDate.latest) seconds since 1970"
    case .expired: "the token has expired; ask for a new one"
    case .notYetValid: "the token is not valid yet; if it should be, compare the clocks"
    case .issuedInFuture: "the token was issued in the future; compare the clocks"
    case .tooOld: "the token was issued too long ago; ask for a new one"
    case .wrongIssuer: "the token is not from a trusted issuer"
    case .wrongAudience: "the token is not meant for this audience"
    case .unexpectedAudience: "the token is meant for an audience and none was configured; name the expected one"
    case .mismatch: "it is not the one that is expected here"
    case .unexpected: "a token of this kind does not have it, or not more than one"
    case .invalidValue: "its value is not allowed"
    case .lifetimeTooLong(let limit): "the token must not be valid for more than \(limit) seconds"
    case .notOneProof: "there must be exactly one DPoP proof"
    case .keyRefused(let error): "the token's own key is refused: \(error)"
    case .reserved: "the signer writes this itself; leave it out"
    case .payloadNotCarried: "this payload cannot stand unencoded in this form; detach it or encode it"
    case .signingFailed: "the token could not be signed"
    }
  }
}
