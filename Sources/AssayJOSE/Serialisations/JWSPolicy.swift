/// What a JWS may be beyond a compact token with an encoded payload, and how many of its signatures must verify.
public struct JWSPolicy: Hashable, Sendable {
  /// How many of the signatures must verify.
  @nonexhaustive
  public enum Signatures: Hashable, Sendable {
    /// Every signature. One by a key that is not trusted refuses the whole.
    case all
    /// At least one. The others may be anyone's: the result says which verified.
    case any
  }

  /// The most signatures of one JWS.
  public static let maximumSignatures = 8

  /// How many of the signatures must verify.
  public var signatures = Signatures.all

  /// Also accept payloads that were signed as they are (`b64` false, RFC 7797). Off unless set: a verifier that does not
  /// expect them takes other bytes for signed.
  public var allowUnencodedPayload = false

  /// Also accept an `alg` that is not signed (RFC 7515, 7.2.1 lets it stand in `header`). Off unless set: the key fixes the
  /// algorithm anyway, and hardly anyone but the examples of RFC 7520, 4.7 writes this.
  public var allowUnprotectedAlgorithm = false

  /// The longest text that is read, in bytes, without a detached payload.
  public var maximumBytes = JWS.maximumTokenBytes

  /// The strict policy.
  public init() {}
}
