import AssayCodec
import AssayCrypto
import AssayJOSE
import Testing

/// Tokens that bring the certificate of the key that signed them (RFC 7515, 4.1.6).
struct CertificateSignedTests {
  /// A certificate of the right form for this key, signed by nobody.
  static func certificate(_ algorithm: SignatureAlgorithm) throws -> [UInt8] {
    let spki = try Keys.key(algorithm).verificationKey.numbers.spki()
    var writer = DERWriter()
    writer.element(.sequence) { writer in
      writer.element(.sequence) { writer in
        writer.small(1)
        for _ in 0..<4 { writer.element(.sequence) { _ in } }
        let key = Array(spki.dropFirst(spki[1] < 0x80 ? 2 : Int(spki[1] & 0x7F) + 2))
        writer.element(.sequence, key.span)
      }
      writer.element(.sequence) { _ in }
      writer.bitString([0])
    }
    return writer.publicBytes()
  }

  /// A token with these members of its header beside `alg`; by the key of `algorithm`.
  static func token(
    _ algorithm: SignatureAlgorithm = .es256, named name: UTF8Text? = nil, x5c: JSONValue?,
    payload: [UInt8] = [1, 2, 3]
  ) throws -> [UInt8] {
    var header: JSONObject = ["alg": .string(name ?? algorithm.joseName)]
    header["x5c"] = x5c
    return try signed(header: JSONValue.object(header).encoded(), payload: payload, with: Keys.key(algorithm))
  }

  static func x5c(_ certificates: [UInt8]...) -> JSONValue {
    .array(certificates.map { .string(Base64.encode($0.span)) })
  }

  private func refusal(
    _ token: [UInt8], _ algorithms: [SignatureAlgorithm] = SignatureAlgorithm.allCases,
    maximumBytes: Int = JWS.maximumTokenBytes
  ) -> JWTError? {
    do throws(JWTError) {
      _ = try JWS.verifyCompactByOwnCertificate(token.span, maximumBytes: maximumBytes, algorithms: algorithms)
      return nil
    } catch {
      return error
    }
  }

  @Test(arguments: [SignatureAlgorithm.es256, .es384, .es512, .rs256, .ps256, .edDSA])
  func theFirstCertificatesKeySigns(_ algorithm: SignatureAlgorithm) throws {
    let leaf = try Self.certificate(algorithm)
    let token = try Self.token(algorithm, x5c: Self.x5c(leaf, [0x30, 0x00]))
    let verified = try JWS.verifyCompactByOwnCertificate(token.span, algorithms: [algorithm])
    #expect(verified.payload == [1, 2, 3])
    #expect(verified.certificates == [leaf, [0x30, 0x00]])
    // The token brings its key only where its reader asks for that.
    let other = try SigningKey.generate(.edDSA).verificationKey
    #expect(throws: JWTError.self) { try JWS.verifyCompact(token.span, key: other) }
  }

  @Test func whatIsInX5CIsCheckedAndBounded() throws {
    let leaf = try Self.certificate(.es256)
    let text = Base64.encode(leaf.span)
    let eight = JSONValue.array([JSONValue](repeating: .string(text), count: 8))
    #expect(try refusal(Self.token(x5c: eight)) == nil)
    let cases: [(JSONValue?, JWTError.Code)] = [
      (nil, .missing), ([], .missing), (.null, .wrongType), (.string(text), .wrongType), ([1], .wrongType),
      ([.string(text), 1], .wrongType),
      (.array([JSONValue](repeating: .string(text), count: 9)), .tooManyCertificates(limit: 8)),
    ]
    for (x5c, code) in cases {
      let error = try refusal(Self.token(x5c: x5c))
      expectCode(error, code, "x5c")
      #expect(error?.step == .header)
      #expect(error?.description.hasPrefix("x5c: ") == true)
    }
    let malformed: [(JSONValue, CodecError.Code)] = [
      (.array([.string(UTF8Text(text.string + "\n"))]), .invalidCharacter), ([""], .truncated), (["MAA="], .truncated),
      (Self.x5c(leaf + [0]), .trailingBytes), (["-_-_"], .invalidCharacter),
    ]
    for (x5c, code) in malformed {
      let error = try refusal(Self.token(x5c: x5c))
      #expect(error?.malformation == code && error?.field == "x5c" && error?.step == .header, "\(x5c)")
    }
  }

  @Test func theAlgorithmMustBeAllowedAndTheKeysOwn() throws {
    let x5c = Self.x5c(try Self.certificate(.es256))
    let token = try Self.token(x5c: x5c)
    expectCode(refusal(token, []), .algorithmNotAllowed, "alg")
    expectCode(refusal(token, [.rs256]), .algorithmNotAllowed, "alg")
    expectCode(try refusal(Self.token(named: "HS256", x5c: x5c)), .algorithmNotAllowed, "alg")
    expectCode(try refusal(Self.token(named: "none", x5c: x5c)), .unsecured, "alg")
    for other in ["ES384", "RS256", "EdDSA"] as [UTF8Text] {
      expectCode(try refusal(Self.token(named: other, x5c: x5c)), .noKeyForAlgorithm, "x5c")
    }
  }

  @Test func onlyTheFirstCertificateCountsAndEveryByteDoes() throws {
    let leaf = try Self.certificate(.es256)
    let other = try Self.certificate(.edDSA)
    expectCode(try refusal(Self.token(x5c: Self.x5c(other, leaf))), .noKeyForAlgorithm, "x5c")
    expectCode(try refusal(Self.token(.esp256, x5c: Self.x5c(leaf))), .invalidSignature)
    let token = try Self.token(x5c: Self.x5c(leaf))
    for index in token.indices {
      var altered = token
      altered[index] ^= 1
      #expect(refusal(altered) != nil, "byte \(index)")
    }
    expectCode(refusal(token, maximumBytes: token.count - 1), .tooLarge(limit: token.count - 1))
    #expect(refusal(token, maximumBytes: token.count) == nil)
  }

  @Test func largePayloadsAreReadIfTheCallerAllowsThem() throws {
    let payload = [UInt8](repeating: 0x20, count: 3 << 20)
    let token = try Self.token(x5c: Self.x5c(Self.certificate(.es256)), payload: payload)
    expectCode(refusal(token), .tooLarge(limit: 65_536))
    let verified = try JWS.verifyCompactByOwnCertificate(token.span, maximumBytes: token.count, algorithms: [.es256])
    #expect(verified.payload == payload)
  }

  /// The header is read before the signature, so what it may cost does not grow with the longest payload.
  @Test func largeHeadersAreNotRead() throws {
    let header = [UInt8](repeating: UInt8(ascii: "A"), count: 65_537)
    let token = header + Array(".e30.AAAA".utf8)
    let error = refusal(token, maximumBytes: token.count)
    expectCode(error, .tooLarge(limit: 65_536), "header")
    #expect(error?.step == .size)
    let longest = token.dropFirst()
    #expect(refusal(Array(longest), maximumBytes: token.count)?.step == .header)
  }
}
