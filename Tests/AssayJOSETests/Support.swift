import AssayCodec
import AssayCrypto
import AssayJOSE
import Foundation
import TestSupport
import Testing

/// A moment at which the sample tokens are valid.
let now = UnixTime(1_700_000_000)

/// Fresh keys, one of each kind, shared by the tests.
enum Keys {
  private static let rsa = Result { () throws(KeyError) in try SigningKey.generate(.rs256) }
  private static let rsaAlgorithms: [SignatureAlgorithm] = [.rs256, .rs384, .rs512, .ps256, .ps384, .ps512]

  static let signing: [SignatureAlgorithm: Result<SigningKey, any Error>] = Dictionary(
    uniqueKeysWithValues: SignatureAlgorithm.allCases.map { algorithm in
      (
        algorithm,
        Result {
          guard rsaAlgorithms.contains(algorithm) else { return try SigningKey.generate(algorithm) }
          // One modulus for all: it takes long to find.
          return try SigningKey(try rsa.get().privateNumbers(), for: algorithm)
        }
      )
    })

  static func key(_ algorithm: SignatureAlgorithm) throws -> SigningKey {
    guard let result = signing[algorithm] else { throw TestData.Missing(path: "\(algorithm)") }
    return try result.get()
  }
}

/// A token that every rule accepts; a test changes one thing of it.
struct Sample {
  var header: JSONObject = ["alg": "EdDSA", "typ": "JWT"]
  var claims: JSONObject = [
    "iss": "https://id.example", "aud": "api", "exp": 1_700_003_600, "iat": 1_700_000_000, "sub": "alice",
  ]
  /// Replaces the JSON text of the claims, for what no `JSONObject` can say.
  var claimsText: String?
  var headerText: String?
  var algorithm = SignatureAlgorithm.edDSA

  init(_ change: (inout Sample) -> Void = { _ in }) { change(&self) }

  func token() throws -> [UInt8] {
    let header = headerText.map { Array($0.utf8) } ?? JSONValue.object(header).encoded()
    let claims = claimsText.map { Array($0.utf8) } ?? JSONValue.object(claims).encoded()
    return try signed(header: header, payload: claims, with: Keys.key(algorithm))
  }
}

/// A compact token with exactly these bytes as header and payload.
func signed(header: [UInt8], payload: [UInt8], with key: SigningKey) throws -> [UInt8] {
  var token = Base64URL.encode(header.span).utf8 + [UInt8(ascii: ".")] + Base64URL.encode(payload.span).utf8
  let signature = try key.sign(token.span, ecdsa: .fixedWidth)
  token += [UInt8(ascii: ".")] + Base64URL.encode(signature.span).utf8
  return token
}

func jwk(_ algorithm: SignatureAlgorithm, kid: UTF8Text? = nil) throws -> JWK {
  JWK(try Keys.key(algorithm).verificationKey.numbers, kid: kid)
}

/// The issuer that trusts the sample, and all of our keys with all algorithms.
func issuer(
  _ name: UTF8Text = "https://id.example", audience: UTF8Text? = "api", _ change: (inout JWTPolicy) -> Void = { _ in }
) throws -> TrustedIssuer {
  var policy = JWTPolicy()
  change(&policy)
  let keys = try SignatureAlgorithm.allCases.filter { ![.rs384, .rs512, .ps256, .ps384, .ps512].contains($0) }.map {
    try jwk($0)
  }
  return try TrustedIssuer(
    name, keys: keys, algorithms: SignatureAlgorithm.allCases, audience: audience, policy: policy)
}

/// Why the token is refused; nil if it is accepted.
func refusal(
  _ token: [UInt8], by issuer: TrustedIssuer? = nil, at now: UnixTime = now
) throws -> JWTError? {
  let verifier = JWTVerifier(try issuer ?? AssayJOSETests.issuer())
  do throws(JWTError) {
    _ = try verifier.verify(token, at: now)
    return nil
  } catch {
    return error
  }
}

/// Why the sample with one change is refused; nil if it is accepted.
func refusal(
  by issuer: TrustedIssuer? = nil, at now: UnixTime = now, _ change: (inout Sample) -> Void
) throws -> JWTError? {
  try refusal(try Sample(change).token(), by: issuer, at: now)
}

/// Whether `error` is this code in this field.
func expectCode(
  _ error: JWTError?, _ code: JWTError.Code?, _ field: Field? = nil, sourceLocation: SourceLocation = #_sourceLocation
) {
  #expect(error?.code == code, sourceLocation: sourceLocation)
  #expect(error?.field == field, sourceLocation: sourceLocation)
}

extension JWTError {
  /// The decoder's code, if the token was malformed.
  var malformation: CodecError.Code? { if case .malformed(let fault) = code { fault.code } else { nil } }
}
