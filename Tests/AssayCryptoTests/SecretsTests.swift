import AssayCodec
import AssayCrypto
import Testing

@Suite struct SecretsTests {
  @Test func equalityLooksAtEveryByte() {
    let bytes = [UInt8](0..<64)
    #expect(constantTimeEqual(bytes, bytes))
    #expect(constantTimeEqual([], []))
    for bit in 0..<512 { #expect(!constantTimeEqual(bytes, bytes.flippingBit(bit))) }
    for count in 0..<64 { #expect(!constantTimeEqual(bytes, Array(bytes[..<count]))) }
  }

  private func constantTimeEqual(_ a: [UInt8], _ b: [UInt8]) -> Bool {
    AssayCrypto.constantTimeEqual(a.span, b.span)
  }

  @Test func wipingLeavesZeros() {
    var bytes = [UInt8](1...100)
    wipe(&bytes)
    #expect(bytes == [UInt8](repeating: 0, count: 100))
    var none: [UInt8] = []
    wipe(&none)
    #expect(none.isEmpty)
  }

  /// 32 bytes repeat with a chance of 2^-256; 65,536 miss one of the byte values with a chance of e^-250.
  @Test func randomBytesDiffer() throws {
    #expect(try Random.bytes(0).isEmpty)
    #expect(try Random.bytes(32) != Random.bytes(32))
    #expect(Set(try Random.bytes(65_536)).count == 256)
    let secret = try Random.secret(65_536)
    #expect(secret.count == 65_536)
    #expect(secret.withSpan { Set(Array(copying: $0)).count } == 256)
  }

  @Test(arguments: [-1, Int.min, Random.maximumBytes + 1, Int.max]) func aCountOutOfRangeIsAnError(_ count: Int) {
    let error = CryptoError(.countNotAllowed(maximum: Random.maximumBytes))
    #expect(throws: error) { try Random.bytes(count) }
    #expect(throws: error) { _ = try Random.secret(count) }
    #expect(error.description == "the count of random bytes must be from 0 to 1048576")
  }

  @Test func theLargestCountIsMade() throws {
    #expect(try Random.bytes(Random.maximumBytes).count == Random.maximumBytes)
    #expect(try Random.secret(Random.maximumBytes).count == Random.maximumBytes)
  }

  @Test func librariesAreAvailable() {
    #expect(CryptoLibraries.areAvailable)
    #expect(CryptoLibraries.openSSLVersion.hasPrefix("OpenSSL 3."))
    #expect(CryptoLibraries.sodiumVersion.hasPrefix("1."))
  }
}
