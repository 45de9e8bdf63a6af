import Assay

/// A token of ordinary size, verified with all its rules, beside the one raw verification of its signing input.
enum TokenCase {
  /// - Parameter isRemembered: Whether a cache remembers the verdict, which beside the raw verification then is nothing.
  static func row(_ algorithm: SignatureAlgorithm, isRemembered: Bool = false, target: Double) throws -> Row {
    let now = UnixTime(1_800_000_000)
    let key = try SigningKey.generate(algorithm)
    let numbers = key.verificationKey.numbers

    let name = algorithm.joseName.string
    let header = #"{"alg":"\#(name)","kid":"2026-01","typ":"JWT"}"#
    let claims =
      #"{"iss":"https://id.example.com","sub":"0b0c9a54-39f4-4a86-9f0c-2a4c7a3b5d10","aud":"https://api.example.com","#
      + #""iat":1799999990,"nbf":1799999990,"exp":1800000290,"jti":"7f9c2ba4-e88f-4b2b-a10f-1c5e9d0b6a77","#
      + #""scope":"read write"}"#
    let input = [header, claims].map { Base64URL.encode(Array($0.utf8).span).string }.joined(separator: ".")
    let message = Array(input.utf8)
    let signature = try key.sign(message.span, ecdsa: .fixedWidth)
    let token = message + Array(".".utf8) + Base64URL.encode(signature.span).utf8

    let issuer = try TrustedIssuer(
      "https://id.example.com", keys: [JWK(numbers, kid: "2026-01")], algorithms: [algorithm],
      audience: "https://api.example.com")
    let verifier = JWTVerifier(issuer)
    let caching = CachingJWTVerifier(issuer, remembering: VerifiedTokenCache())
    return Row(
      name: "\(name) JWT \(isRemembered ? "again" : "verify")", target: target,
      assay: {
        _ = isRemembered ? try caching.verify(token, at: now) : try verifier.verify(token.span, at: now)
        return true
      },
      raw: rawVerification(
        try rawKey(numbers), algorithm == .es256 ? der(fixedWidth: signature) : signature, message))
  }
}
