public import AssayCodec

/// Why keys, an issuer or a verifier could not be set up. This is about configuration, never about a token.
public struct TrustedIssuerError: Error, Hashable, Sendable {
  /// The kind of fault.
  @nonexhaustive
  public enum Reason: Hashable, Sendable {
    /// No key was given, so that no token could ever be accepted.
    case noKeys
    /// More keys than a verifier holds.
    case tooManyKeys(limit: Int)
    /// No algorithm was allowed, so that no token could ever be accepted.
    case noAlgorithms
    /// The key at this place in the list, counting from 0, cannot be used.
    case key(index: Int, KeyError)
    /// The key at this place in the list is for none of the allowed algorithms.
    case keyFitsNoAlgorithm(index: Int)
    /// No anchor was given to which a certificate could lead.
    case noAnchors
    /// Nothing tells the signer's certificate: an empty name, no certificate, or a digest that is no SHA-256.
    case noSigner
    /// A verifier without issuers.
    case noIssuers
    /// The issuer at this place in the list has the name of an earlier one.
    case duplicateIssuer(index: Int)
  }

  /// What is wrong.
  public let reason: Reason

  package init(_ reason: Reason) { self.reason = reason }
}

extension TrustedIssuerError: CustomStringConvertible {
  /// One line for a person: what is wrong and what to do.
  public var description: String {
    switch reason {
    case .noKeys: "there is no key: give the issuer's public keys"
    case .tooManyKeys(let limit): "too many keys: at most \(limit) are held, leave out the ones that are not used"
    case .noAlgorithms: "no algorithm is allowed: name those the issuer signs with"
    case .key(let index, let error): "key \(index): \(error)"
    case .keyFitsNoAlgorithm(let index):
      "key \(index) is for none of the allowed algorithms: allow its own, or leave it out"
    case .noAnchors: "there is no trust anchor: give the roots that vouch for the issuer's certificates"
    case .noSigner: "nothing tells the issuer's certificate: give its name or its SHA-256"
    case .noIssuers: "there is no trusted issuer"
    case .duplicateIssuer(let index): "issuer \(index) has the name of an earlier one: put their keys together"
    }
  }
}
