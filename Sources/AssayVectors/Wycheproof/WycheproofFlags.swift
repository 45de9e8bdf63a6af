internal import AssayCodec

/// What each flag means for us: the one place where it is decided.
enum WycheproofFlags {
  enum Decision: Equatable {
    /// A case with this flag has a definite label, which counts.
    case label
    /// `acceptable` means this verdict.
    case acceptable(Verdict)
    /// Whatever the label, this is the verdict.
    case always(Verdict)
  }

  static func decision(_ flag: UTF8Text) -> Decision? { table.first { $0.flag == flag }?.decision }

  private static let table: [(flag: UTF8Text, decision: Decision, why: StaticString)] = [
    // ECDSA
    ("ArithmeticError", .label, "extreme values in between"),
    ("BerEncodedSignature", .label, "DER has one spelling"),
    ("EdgeCasePublicKey", .label, "keys with extreme coordinates are keys"),
    ("EdgeCaseShamirMultiplication", .label, "extreme values in between"),
    ("IntegerOverflow", .label, "r and s are below the order"),
    ("InvalidEncoding", .label, "not a signature's encoding"),
    ("InvalidSignature", .label, "r or s of no signature"),
    ("InvalidTypesInSignature", .label, "r and s are INTEGERs"),
    ("MissingZero", .label, "a leading one bit without its zero byte is a negative number"),
    ("ModifiedInteger", .label, "r or s altered"),
    ("ModifiedSignature", .label, "an altered signature, or a valid one like it"),
    ("ModularInverse", .label, "extreme values in between"),
    ("PointDuplication", .label, "extreme values in between"),
    ("RangeCheck", .label, "r and s are below the order"),
    ("SignatureMalleabilityBitcoin", .always(.valid), "a low s is asked for by Bitcoin, not by ECDSA"),
    ("SignatureSize", .label, "fixed width is fixed"),
    ("SmallRandS", .label, "small numbers, in full width"),
    ("SpecialCaseHash", .label, "extreme digests"),
    ("Untruncatedhash", .label, "a long digest is cut to the order's length"),
    ("ValidSignature", .label, "valid"),
    // EdDSA
    ("CompressedSignature", .label, "fixed width is fixed"),
    ("InvalidKtv", .label, "known answers, altered"),
    ("Ktv", .label, "known answers"),
    ("MixedOrderPublicKey", .acceptable(.valid), "RFC 8032 does not refuse such a key, whose owner still has to sign"),
    ("SignatureMalleability", .label, "S is below the order; an RSA signature below the modulus"),
    ("SignatureWithGarbage", .label, "nothing follows a signature"),
    ("SmallOrderPublicKey", .acceptable(.invalid), "one signature would fit every message"),
    ("TinkOverflow", .label, "extreme values in between"),
    ("TruncatedSignature", .label, "fixed width is fixed"),
    ("Valid", .label, "valid"),
    // RSA
    ("BerEncodedPadding", .label, "DER has one spelling"),
    ("DistinctHash", .label, "the digest of the message and of MGF1 differ"),
    ("EdgeCaseSignature", .label, "an extreme signature"),
    ("InvalidAsnInPadding", .label, "the padding is compared as a whole"),
    ("InvalidPadding", .label, "the padding is compared as a whole"),
    ("Mgf1Sha1", .label, "MGF1 with SHA-1"),
    ("MissingNull", .acceptable(.invalid), "RFC 8017, A.2.4: the parameters are NULL; one spelling is enough"),
    ("ModifiedPadding", .label, "the padding is compared as a whole"),
    ("NoHash", .label, "the padding is compared as a whole"),
    ("Normal", .label, "valid"),
    ("ParameterTest", .label, "every combination of parameters"),
    ("ShortPadding", .label, "the padding is compared as a whole"),
    ("SmallModulus", .acceptable(.invalid), "less than 2048 bits is factored"),
    ("SmallPublicKey", .acceptable(.valid), "an exponent of 3 is safe where the padding is compared as a whole"),
    ("SmallSignature", .label, "a small number, in full width"),
    ("WeakHash", .acceptable(.valid), "SHA-1 and SHA-224: skipped before this counts"),
    ("WrongHash", .label, "the padding names the digest"),
    ("WrongPrimitive", .label, "the key fixes the algorithm"),
    // HMAC
    ("ModifiedTag", .label, "an altered tag"),
    ("Pseudorandom", .label, "valid"),
    // JOSE
    ("AlgIsNone", .label, "never allowed"),
    ("Ambiguous", .label, "another flag says of what"),
    ("DuplicateKid", .always(.valid), "RFC 7517, 4.5: names should differ, but the keys that share one are each tried"),
    ("JsonSerialization", .label, "compact form only"),
    ("JsonWebKeyset", .label, "a set of keys"),
    ("MixedKeySet", .label, "secrets have no place in a set of public keys"),
  ]

  /// The refusal that a case asks for and that is outside, told by its comment where no flag tells it.
  static func refusalOutside(_ comment: UTF8Text) -> UTF8Text? { comments.first { $0.comment == comment }?.reason }

  private static let comments: [(comment: UTF8Text, reason: UTF8Text)] = [
    ("rejectsKeyWithRocaVulnerability", "key: made by a flawed generator"),
    ("edge case for signature malleability", "signature: low s"),
  ]

  /// Reads a case's `result` and `flags` and says which verdict is expected.
  static func verdict(_ one: inout MemberReader) throws(VectorFileError) -> Verdict {
    let result = try one.text("result")
    let label: Verdict?
    switch result {
    case "valid": label = .valid
    case "invalid": label = .invalid
    case "acceptable": label = nil
    default: throw one.fault("unknown result \"\(result.printable())\"")
    }
    var verdict = label
    for flag in try one.texts("flags") {
      switch decision(flag) {
      case nil: throw one.fault("unknown flag \"\(flag.printable())\"")
      case .label: continue
      case .acceptable(let decided): verdict = verdict ?? decided
      case .always(let decided): verdict = decided
      }
    }
    guard let verdict else { throw one.fault("acceptable, and no flag says what that means") }
    return verdict
  }
}
