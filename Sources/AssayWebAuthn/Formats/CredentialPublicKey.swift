internal import AssayCodec
internal import AssayCrypto

/// From a COSE_Key to a key that verifies.
enum CredentialPublicKey {
  /// The key in `cose`, a COSE_Key in CTAP2 canonical form, for the algorithm it names.
  ///
  /// - Throws: `algorithmNotAllowed` if the algorithm is not one of `allowed`, `algorithmNotSupported` if it cannot be
  ///   verified here, and `invalidPublicKey` for everything that is no key: a point off its curve, a modulus too short.
  static func verificationKey(
    of cose: CBORValue, allowed: [SignatureAlgorithm] = SignatureAlgorithm.allCases, at step: CeremonyStep? = nil
  ) throws(WebAuthnError) -> VerificationKey {
    if let alg = cose[3]?.int64 {
      guard let algorithm = SignatureAlgorithm(coseIdentifier: alg) else {
        throw WebAuthnError(
          .algorithmNotSupported, "alg", at: step, SignatureAlgorithm.refusal(coseIdentifier: alg).map { .key($0) })
      }
      guard allowed.contains(algorithm) else { throw WebAuthnError(.algorithmNotAllowed, "alg", at: step) }
    }
    do throws(KeyError) {
      let key = try COSEKey(cose)
      guard let algorithm = SignatureAlgorithm(coseIdentifier: key.alg) else {
        throw KeyError(.unsupported(what: "this algorithm"))
      }
      return try VerificationKey(key.numbers, for: algorithm)
    } catch {
      throw WebAuthnError(.invalidPublicKey, "credentialPublicKey", at: step, .key(error))
    }
  }

  /// The key in the bytes of a stored COSE_Key.
  static func verificationKey(
    decoding bytes: Span<UInt8>, at step: CeremonyStep? = nil
  ) throws(WebAuthnError) -> VerificationKey {
    let cose: CBORValue
    do throws(CodecError) {
      cose = try CBORValue.decode(bytes, form: .ctap2Canonical, field: "credentialPublicKey")
    } catch {
      throw WebAuthnError(.invalidPublicKey, "credentialPublicKey", at: step, .encoding(error))
    }
    return try verificationKey(of: cose, at: step)
  }
}
