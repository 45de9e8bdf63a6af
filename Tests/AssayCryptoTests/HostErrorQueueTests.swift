import AssayCodec
import AssayCrypto
import CErrorQueueProbe
import TestCertificates
import Testing

/// What is done here must not show in OpenSSL's error queue, which belongs to the host.
///
/// The queue is the thread's: these tests do not suspend between filling it and looking at it.
@Suite struct HostErrorQueueTests {
  /// Makes every kind of call, above all those that fail inside OpenSSL.
  static func exerciseEverything() throws {
    for known in KnownSignature.all {
      let key = try known.key()
      #expect(key.accepts(known.signature, known.message))
      #expect(!key.accepts(known.signature.flippingBit(9), known.message))
      #expect(!key.accepts([UInt8](repeating: 0xFF, count: known.signature.count), known.message))
    }
    #expect(throws: KeyError(.notOnCurve)) {
      let one = [UInt8](repeating: 0, count: 31) + [1]
      _ = try VerificationKey(.ec(.p256, x: one, y: one), for: .es256)
    }
    for algorithm in SignatureAlgorithm.allCases {
      let key = try SigningKey.generate(algorithm)
      _ = try key.sign([1, 2, 3])
      _ = try SigningKey(try key.privateNumbers(), for: algorithm)
      let other = try SigningKey.generate(algorithm)
      #expect(throws: KeyError(.inconsistent)) {
        _ = try SigningKey(Mismatch.publicHalf(of: key, privateHalfOf: other), for: algorithm)
      }
    }
    let h = try TestHierarchy()
    let lists = CertificatePathPolicy(
      revocation: .hardFail(crls: try RevocationLists([[0x30], h.leafDER, h.middle.list()])))
    #expect(refusal([h.leafDER, h.middleDER], to: try h.anchors()) == nil)
    #expect(refusal([h.leafDER, h.middleDER], to: try h.anchors(), lists)?.code == .revocationListMissing)
    // In the serial number and in the signature. Deep in the structure, OpenSSL raises an error for every level.
    for bit in [8 * 13 + 7, h.leafDER.count * 8 - 40] {
      #expect(refusal([h.leafDER.flippingBit(bit), h.middleDER], to: try h.anchors()) != nil)
    }
    // An RSA anchor's key is tried once.
    let issuer = try Authority("RSA", .rs256)
    #expect(try TrustAnchors(certificates: Array(repeating: issuer.root(), count: 20)).count == 20)
    _ = try Digest.sha256.hash([1])
    _ = try HMACKey(SecretBytes([1]), .sha1).authenticate([1])
  }

  @Test(arguments: [0, 1, 3, 8]) func isLeftAsItWas(_ count: Int) throws {
    var before = [UInt64](repeating: 0, count: 16)
    var after = before
    error_queue_fill(count)
    let filled = unsafe error_queue_drain(&before, before.count)
    try #require(filled == count)
    error_queue_fill(count)
    try Self.exerciseEverything()
    let left = unsafe error_queue_drain(&after, after.count)
    #expect(left == count)
    #expect(after == before)
  }
}
