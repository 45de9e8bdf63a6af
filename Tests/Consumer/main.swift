// What someone else's program looks like: it depends on a version of the package and imports nothing but `Assay`.
import Assay

let (text, jwk) = (CommandLine.arguments[1], CommandLine.arguments[2])
let issuer = try TrustedIssuer(
  "https://id.example", keys: [JWK(Array(jwk.utf8).span)], algorithms: [.es256], audience: "api")
let verifier = JWTVerifier(issuer)
let token = try verifier.verify(text, at: UnixTime(1_767_225_610))
guard token.subject == "alice" else { fatalError("another subject") }

// One bit of the signature changed.
var altered = Array(text.utf8)
altered[altered.count - 10] ^= 1
if let token = try? verifier.verify(altered, at: UnixTime(1_767_225_610)) {
  fatalError("accepted an altered token of \(token.issuer)")
}
// The figures of the README.
guard JWS.maximumTokenBytes == 64 << 10, TrustedKeys.maximumTries == 8, HOTP.digitsAllowed == 6...10,
  JSONLimits().maximumBytes == 1 << 20, JSONLimits().maximumDepth == 32,
  CBORLimits.default.maximumBytes == 1 << 20, CBORLimits.default.maximumDepth == 32
else { fatalError("the README states other limits") }
print("verified one token, refused it altered")
