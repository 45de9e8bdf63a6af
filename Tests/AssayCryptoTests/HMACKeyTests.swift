import AssayCodec
import AssayCrypto
import Testing

@Suite struct HMACKeyTests {
  /// RFC 2202, 3 and RFC 4231, 4: cases 1, 2 and 6 (a key longer than the block).
  @Test(arguments: [
    (Digest.sha1, 0x0B, 20, "Hi There", "b617318655057264e28bc0b6fb378c8ef146be00"),
    (
      .sha1, 0xAA, 80, "Test Using Larger Than Block-Size Key - Hash Key First",
      "aa4ae5e15272d00e95705637ce8a3b55ed402112"
    ),
    (.sha256, 0x0B, 20, "Hi There", "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"),
    (
      .sha256, 0xAA, 131, "Test Using Larger Than Block-Size Key - Hash Key First",
      "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"
    ),
    (
      .sha384, 0x0B, 20, "Hi There",
      "afd03944d84895626b0825f4ab46907f15f9dadbe4101ec682aa034c7cebc59cfaea9ea9076ede7f4af152e8b2fa9cb6"
    ),
    (
      .sha512, 0x0B, 20, "Hi There",
      "87aa7cdea5ef619d4ff0b4241a1d6cb02379f4e2ce4ec2787ad0b30545e17cdedaa833b7d6b8a702038b274eaea3f4e4be9d914eeb61f1702e696c203a126854"
    ),
  ])
  func publishedCodes(_ digest: Digest, _ keyByte: Int, _ keyCount: Int, _ message: String, _ expected: String) throws {
    let key = try HMACKey(SecretBytes([UInt8](repeating: UInt8(keyByte), count: keyCount)), digest)
    for _ in 0..<3 {
      let code = try key.authenticate(Array(message.utf8))
      #expect(code == [UInt8](hex: expected))
      _ = try key.authenticate([])
    }
  }

  @Test func anEmptyKeyIsRefused() {
    #expect(throws: CryptoError(.failed)) { _ = try HMACKey(SecretBytes([]), .sha256) }
  }
}
