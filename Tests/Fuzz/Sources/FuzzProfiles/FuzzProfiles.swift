import Assay
import FuzzSupport

private let now = UnixTime(1_700_000_000)
private let issuer: UTF8Text = "i"
private let audience: UTF8Text = "a"
private let uri: UTF8Text = "https://a.example/things"
private let types: [UTF8Text?] = [
  nil, "JWT", "dpop+jwt", "at+jwt", "oauth-authz-req+jwt", "logout+jwt", "client-authentication+jwt", "other",
]

/// The verifiers of all profiles, which trust one key and expect one issuer and audience.
private struct Verifiers {
  let key: SigningKey
  let keys: TrustedKeys
  let identity: IdentityTokenVerifier

  init?() {
    guard let key = try? SigningKey.generate(.es256) else { return nil }
    let jwk = JWK(key.verificationKey.numbers)
    guard let keys = try? TrustedKeys([jwk], algorithms: [.es256]),
      let identity = try? IdentityTokenVerifier(appID: issuer, keys: keys)
    else { return nil }
    (self.key, self.keys, self.identity) = (key, keys, identity)
  }

  /// Claims as a token, which brings its key along.
  func token(_ claims: [UInt8], _ type: UTF8Text?) -> [UInt8]? {
    var header: JSONObject = ["jwk": .object(JWK(key.verificationKey.numbers).json)]
    if let type { header["typ"] = .string(type) }
    return try? JWSSigner(key: key).signCompact(claims, header: header).utf8
  }

  /// The names of those who accept a token.
  func accepting(_ token: [UInt8]) -> [String] {
    var names: [String] = []
    let idToken = IDTokenVerifier(issuer: issuer, clientID: audience, keys: keys)
    if let found = try? idToken.verify(token.span, expecting: IDTokenVerifier.Expectation(nonce: nil), at: now) {
      require(!found.subject.isEmpty && found.token.issuer == issuer, "an ID token says who signed in")
      names.append("ID token")
    }
    if let found = try? AccessTokenVerifier(issuer: issuer, audience: audience, keys: keys).verify(token.span, at: now)
    {
      require(!found.clientID.isEmpty && found.token.claims["cnf"] == nil, "a bearer's token is bound to nothing")
      names.append("access token")
    }
    let assertion = ClientAssertionVerifier(clientID: issuer, audience: .anyOf([audience]), keys: keys)
    add("client assertion", try? assertion.verify(token.span, at: now), &names)
    let request = RequestObjectVerifier(issuer: audience, clientID: issuer, keys: keys)
    add("request object", try? request.verify(token.span, at: now), &names)
    let backchannel = AuthenticationRequestVerifier(issuer: audience, clientID: issuer, keys: keys)
    add("authentication request", try? backchannel.verify(token.span, at: now), &names)
    let logout = LogoutTokenVerifier(issuer: issuer, clientID: audience, keys: keys)
    add("logout token", try? logout.verify(token.span, at: now), &names)
    let dpop = DPoPVerifier(algorithms: [.es256])
    add("DPoP proof", try? dpop.verify([token], method: "GET", uri: uri, at: now), &names)
    if let found = try? identity.verify(token.span, for: nil, at: now) {
      require(!found.externalID.isEmpty && found.expiresAt > now, "an identity token is a user's, and not over")
      names.append("identity token")
    }
    return names
  }

  private func add(_ name: String, _ found: (any SingleUseToken)?, _ names: inout [String]) {
    guard let found else { return }
    require((1...256).contains(found.id.utf8.count), "what counts once has a name")
    require(!found.issuer.isEmpty, "and a maker")
    require(found.replayableUntil >= now, "it is to be remembered from now on")
    names.append(name)
  }
}

private let verifiers = Verifiers()

/// One input of libFuzzer: which type, then the claims, which are signed; and a URI, which is compared with itself.
@c(LLVMFuzzerTestOneInput)
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  guard let verifiers else { fatalError("no key") }
  let bytes = unsafe input(start, count)
  guard let choice = bytes.first else { return 0 }
  let claims = Array(bytes.dropFirst())
  if let token = verifiers.token(claims, types[Int(choice) % types.count]) {
    let accepting = verifiers.accepting(token)
    require(accepting.count <= 1, "no token is of two kinds")
    require(verifiers.accepting(token) == accepting, "verifying twice gives the same")
  }
  if let text = UTF8Text(validating: claims.span) { checkURI(text, verifiers.key) }
  return 0
}

/// A URI that a client can make a proof for is one that the server finds in it.
private func checkURI(_ uri: UTF8Text, _ key: SigningKey) {
  guard uri.utf8.starts(with: Array("http".utf8)), let prover = try? DPoPProver(key: key),
    let proof = try? prover.proof(method: "GET", uri: uri, at: now)
  else { return }
  let found = try? DPoPVerifier(algorithms: [.es256]).verify([proof.utf8], method: "GET", uri: uri, at: now)
  require(found?.thumbprint == prover.thumbprint, "a proof is for its own URI")
}
