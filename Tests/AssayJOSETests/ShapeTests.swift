import AssayCodec
import AssayCrypto
import AssayJOSE
import Testing

/// Length, segments and base64url: what is refused before anything is believed.
struct ShapeTests {
  @Test(arguments: [SignatureAlgorithm.es256, .es384, .es512, .es256k, .rs256, .ps512, .edDSA, .ed448])
  func everyBitOfATokenCounts(_ algorithm: SignatureAlgorithm) throws {
    let token = try Sample {
      $0.algorithm = algorithm
      $0.header = ["alg": .string(algorithm.joseName)]
    }.token()
    let verifier = JWTVerifier(try issuer())
    _ = try verifier.verify(token, at: now)
    var accepted: [Int] = []
    for bit in 0..<token.count * 8 {
      var altered = token
      altered[bit / 8] ^= 1 << UInt8(bit % 8)
      if (try? verifier.verify(altered, at: now)) != nil { accepted.append(bit) }
    }
    #expect(accepted.isEmpty)
  }

  @Test func everyTruncationAndExtensionIsRefused() throws {
    let token = try Sample().token()
    for count in 0..<token.count {
      #expect(try refusal(Array(token[..<count])) != nil)
      #expect(try refusal(Array(token[(count + 1)...])) != nil)
    }
    for byte in UInt8.min...UInt8.max {
      #expect(try refusal(token + [byte]) != nil)
      #expect(try refusal([byte] + token) != nil)
    }
  }

  @Test(arguments: [
    ("", JWTError.Code.notCompact), ("e30", .notCompact), ("e30.e30", .notCompact), ("e30.e30.e30.e30", .notCompact),
    ("a.b.c.d.e", .encrypted), ("....", .encrypted), (".....", .notCompact), ("a.b.c.d.e.f", .notCompact),
  ]) func segmentsAreCounted(_ token: String, _ code: JWTError.Code) throws {
    let error = try refusal(Array(token.utf8))
    expectCode(error, code)
    #expect(error?.step == .shape)
  }

  @Test func theLimitIsCheckedFirst() throws {
    expectCode(try refusal([UInt8](repeating: UInt8(ascii: "."), count: 65_537)), .tooLarge(limit: 65_536))
    expectCode(try refusal([UInt8](repeating: UInt8(ascii: "."), count: 65_536)), .notCompact)
    let token = try Sample().token()
    let exact = JWTVerifier(try issuer(), maximumTokenBytes: token.count)
    _ = try exact.verify(token, at: now)
    let below = JWTVerifier(try issuer(), maximumTokenBytes: token.count - 1)
    #expect(throws: JWTError.self) { try below.verify(token, at: now) }
  }

  @Test func errorsNameTheSegmentAndThePlaceInTheToken() throws {
    var token = try Sample().token()
    let dot = try #require(token.firstIndex(of: UInt8(ascii: ".")))
    token[dot + 3] = UInt8(ascii: "+")
    expectCode(try refusal(token), .malformed(CodecError(.invalidCharacter, "payload", at: dot + 3)), "payload")
  }

  @Test func claimsAreNotReadBeforeTheSignatureIsVerified() throws {
    var token = try Sample { $0.claimsText = "{" }.token()
    #expect(try refusal(token)?.step == .claims)
    let place = token.count - 10
    token[place] = token[place] == UInt8(ascii: "A") ? UInt8(ascii: "B") : UInt8(ascii: "A")
    expectCode(try refusal(token), .invalidSignature)
  }
}
