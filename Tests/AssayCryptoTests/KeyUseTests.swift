import AssayCodec
import AssayCrypto
import Testing

/// What a JWK says about its key, and what that allows. Certificates are in `Vectors/keys/jwk.json`.
@Suite struct KeyUseTests {
  static let key = PublicKeyNumbers.edwards(.ed25519, x: [UInt8](repeating: 1, count: 32))

  static let cases: [(use: UTF8Text?, keyOps: [UTF8Text]?, alg: UTF8Text?, verifying: Bool, signing: Bool)] = [
    (nil, nil, nil, true, true),
    ("sig", nil, nil, true, true),
    ("sig", nil, "EdDSA", true, true),
    ("enc", nil, nil, false, false),
    ("Sig", nil, nil, false, false),
    ("", nil, nil, false, false),
    (nil, ["verify"], nil, true, false),
    (nil, ["sign"], nil, false, true),
    (nil, ["sign", "verify"], nil, true, true),
    (nil, [], nil, false, false),
    (nil, ["Verify"], nil, false, false),
    (nil, ["verify", "encrypt"], nil, true, false),
    ("sig", ["verify"], nil, true, false),
    ("sig", ["verify", "encrypt"], nil, false, false),
    ("enc", ["verify"], nil, false, false),
    (nil, nil, "none", false, false),
    (nil, nil, "ECDH-ES", false, false),
    (nil, nil, "RSA-OAEP", false, false),
    (nil, nil, "", false, false),
  ]

  @Test func whatIsSaidIsHeeded() {
    #expect(Self.cases.count == 19)
    for (use, keyOps, alg, verifying, signing) in Self.cases {
      let jwk = JWK(Self.key, alg: alg, use: use, keyOps: keyOps)
      let title = "\(use?.string ?? "-") \(keyOps?.map(\.string) ?? ["-"]) \(alg?.string ?? "-")"
      #expect((try? jwk.check(for: .verifying)) != nil ? verifying : !verifying, "\(title)")
      #expect((try? jwk.check(for: .signing)) != nil ? signing : !signing, "\(title)")
      let secret = SecretBytes(copying: [UInt8](repeating: 1, count: 64).span)
      let symmetric = SymmetricJWK(secret, alg: alg, use: use, keyOps: keyOps)
      #expect((try? symmetric.check(for: .verifying)) != nil ? verifying : !verifying, "\(title)")
    }
  }
}
