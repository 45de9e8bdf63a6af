internal import AssayCodec
internal import AssayCrypto

/// The shapes of Wycheproof's files, by the name of their schema without `_schema.json` or `_schema_v1.json`.
struct WycheproofSchema: Sendable {
  let name: UTF8Text
  private let shape: Shape

  /// Reads a group's own members and returns what judges its cases.
  typealias Prepare =
    @Sendable (
      _ group: inout MemberReader, _ algorithm: UTF8Text?
    ) throws(VectorFileError) -> WycheproofJudge

  private enum Shape: Sendable {
    /// The groups' `type`, and how they are read.
    case judged(type: UTF8Text, Prepare)
    /// Not what this engine does: every case is counted as skipped.
    case outside
  }

  private static let shapes: [(name: UTF8Text, shape: Shape)] = [
    ("ecdsa_verify", .judged(type: "EcdsaVerify", WycheproofSignatures.ecdsa(.der))),
    // Plain ECDSA to us: the low-s rule is Bitcoin's.
    ("ecdsa_bitcoin_verify", .judged(type: "EcdsaBitcoinVerify", WycheproofSignatures.ecdsa(.der))),
    ("ecdsa_p1363_verify", .judged(type: "EcdsaP1363Verify", WycheproofSignatures.ecdsa(.fixedWidth))),
    ("eddsa_verify", .judged(type: "EddsaVerify", WycheproofSignatures.edwards)),
    ("rsassa_pkcs1_verify", .judged(type: "RsassaPkcs1Verify", WycheproofSignatures.pkcs1)),
    ("rsassa_pkcs1_generate", .judged(type: "RsassaPkcs1Generate", WycheproofSignatures.pkcs1Generate)),
    ("rsassa_pss_verify", .judged(type: "RsassaPssVerify", WycheproofSignatures.pss)),
    ("mac_test", .judged(type: "MacTest", WycheproofMAC.prepare)),
    ("json_web_signature", .judged(type: "JsonWebSignature", WycheproofJOSE.prepare)),
    ("json_web_key", .judged(type: "JsonWebKey", WycheproofJOSE.prepare)),
    ("json_web_crypto", .judged(type: "JsonWebCrypto", WycheproofJOSE.prepare)),
    // Key agreement, key transport, encryption, DSA, ML-DSA and curve parameters: no part of this engine.
    ("ec_curve_test", .outside), ("rsassa_pss_with_parameters_verify", .outside),
    ("dsa_verify", .outside), ("dsa_p1363_verify", .outside),
    ("mldsa_sign_noseed", .outside), ("mldsa_sign_seed", .outside), ("mldsa_verify", .outside),
  ]

  init?(fileName: UTF8Text) {
    for ending in ["_schema.json", "_schema_v1.json"] {
      for (name, shape) in Self.shapes where UTF8Text(name.string + ending) == fileName {
        self.name = name
        self.shape = shape
        return
      }
    }
    return nil
  }

  var isJudged: Bool {
    switch shape {
    case .judged: true
    case .outside: false
    }
  }

  /// Reads a group; nil if its cases are not judged.
  func prepare(_ group: inout MemberReader, _ algorithm: UTF8Text?) throws(VectorFileError) -> WycheproofJudge? {
    guard case .judged(let type, let prepare) = shape else { return nil }
    guard try group.text("type") == type else { throw group.fault("the type is not \(type.string)") }
    let judge = try prepare(&group, algorithm)
    try group.finish()
    return judge
  }
}
