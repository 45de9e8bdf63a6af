import Assay

/// Keys, algorithms and audience belong to one issuer, so that no issuer's key can sign for another.
func verifier(key jwk: [UInt8]) throws -> JWTVerifier {
  JWTVerifier(
    try TrustedIssuer(
      "https://id.example", keys: [JWK(jwk.span)], algorithms: [.es256, .rs256], audience: "api"))
}

func user(of token: String, _ verifier: JWTVerifier) throws -> UTF8Text? {
  try verifier.verify(token).subject
}
