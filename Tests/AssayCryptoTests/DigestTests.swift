import AssayCodec
import AssayCrypto
import Testing

@Suite struct DigestTests {
  /// FIPS 180-4 examples: the digests of "abc".
  @Test(arguments: [
    (Digest.sha1, "a9993e364706816aba3e25717850c26c9cd0d89d"),
    (.sha256, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    (
      .sha384,
      "cb00753f45a35e8bb5a03d699ac65007272c32ab0eded1631a8b605a43ff5bed8086072ba1e7cc2358baeca134c825a7"
    ),
    (
      .sha512,
      "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a"
        + "2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f"
    ),
  ])
  func abc(_ digest: Digest, _ expected: String) throws {
    let message = Array("abc".utf8)
    #expect(try digest.hash(message) == [UInt8](hex: expected))
    #expect(digest.byteCount * 2 == expected.utf8.count)
    for cut in 0...message.count {
      #expect(try digest.hash(message[..<cut], message[cut...]) == [UInt8](hex: expected))
    }
  }

  @Test func nothingHasADigest() throws {
    #expect(
      try Digest.sha256.hash([])
        == [UInt8](hex: "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"))
  }
}
