import Assay
import FuzzSupport

private let secret = SecretBytes(copying: [UInt8](repeating: 7, count: 32).span)
private let key = try? MACKey(secret, for: .hs256)
private let now = UnixTime(1_767_225_610)

/// One input of libFuzzer: the text of a token. What stands before its last dot is also signed, and read again.
@c(LLVMFuzzerTestOneInput)
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  guard let key, let keys = try? TrustedKeys(secrets: [SharedSecret(key)]) else { fatalError("no key") }
  let text = unsafe input(start, count)
  check(text, keys)
  checkJSON(text, keys)

  guard let dot = text.lastIndex(of: UInt8(ascii: ".")) else { return 0 }
  guard let tag = try? key.tag(for: text.span.extracting(0..<dot)) else { fatalError("no tag") }
  let signed = text[..<dot] + [UInt8(ascii: ".")] + Base64URL.encode(tag.span).utf8
  check(Array(signed), keys)
  return 0
}

/// Reads a JWS in JSON form; signed anew, it is read back.
private func checkJSON(_ text: [UInt8], _ keys: TrustedKeys) {
  var policy = JWSPolicy()
  policy.signatures = .any
  policy.allowUnencodedPayload = true
  policy.allowUnprotectedAlgorithm = true
  if let jws = try? JWS.verifyJSON(text.span, keys: keys, policy: policy) {
    require(!jws.signatures.isEmpty, "something was signed")
    require(jws.signatures.count + jws.refused.count <= JWSPolicy.maximumSignatures, "signatures are bounded")
    policy.signatures = .all
    let all = try? JWS.verifyJSON(text.span, keys: keys, policy: policy)
    require((all == nil) != jws.refused.isEmpty, "all verify if none is refused")
  }
  guard let key, let object = try? JWS.signFlattened(text, by: JWS.JSONSigner(JWSSigner(key: key))) else { return }
  let read = try? JWS.verifyJSON(JSONValue.object(object).encoded().span, keys: keys, policy: policy)
  require(read == nil ? text.count > 40_000 : read?.payload == text, "what was signed is read back")
}

/// Reads a token with all that reads tokens.
private func check(_ token: [UInt8], _ keys: TrustedKeys) {
  let unverified = try? UnverifiedJWT.decodeWithoutVerifying(token.span)
  let verifier = JWTVerifier(TrustedIssuer("https://id.example", keys: keys, audience: "api"))
  do {
    let jws = try JWS.verifyCompact(token.span, keys: keys)
    require((try? JWS.verifyCompact(token.span, keys: keys)) == jws, "verifying twice gives the same")
    let segments = token.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    require(segments.count == 3, "a token has three segments")
    require(Base64URL.encode(jws.payload.span).utf8 == Array(segments[1]), "a payload has one text")
    require(jws.header["alg"]?.string == "HS256" && jws.header["crit"] == nil, "the header is what was asked for")
    if let unverified { require(unverified.unverifiedHeader == jws.header, "both read the same header") }
    for index in [token.count - 1, 0, segments[0].count + 1] {
      var changed = token
      changed[index] ^= 1
      require((try? JWS.verifyCompact(changed.span, keys: keys)) == nil, "a changed token is refused")
    }
  } catch {
    require(!error.description.isEmpty, "a refusal says why")
    require((try? verifier.verify(token.span, at: now)) == nil, "what is not signed is no token")
    return
  }
  guard let verified = try? verifier.verify(token.span, at: now) else { return }
  require(unverified?.unverifiedClaims == verified.claims, "both read the same claims")
  require(verified.claims["iss"]?.string == "https://id.example", "the issuer is the one that is trusted")
  require(verified.audience.contains("api"), "the token is for us")
  require(verified.expiresAt.map { $0 > now } ?? false, "the token is not over")
}
