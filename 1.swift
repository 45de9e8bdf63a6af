import Assay

func relyingParty() throws -> RelyingParty {
  try RelyingParty(id: "example.com", origins: ["https://example.com"])
}

/// Send `options` to the browser as JSON; keep `state` until it answers.
func beginRegistration(_ rp: RelyingParty, id: [UInt8], name: String) throws -> (options: [UInt8], state: [UInt8]) {
  let user = PasskeyUser(id: id, name: name, displayName: name)
  let start = try rp.beginRegistration(user: user, at: .now())
  return (start.options.encoded(), start.state.encoded())
}

/// `answer` is what `credential.toJSON()` gave in the browser. Store what this returns, under its `id`.
func finishRegistration(_ rp: RelyingParty, _ answer: [UInt8], state: [UInt8]) throws -> RegisteredCredential {
  let state = try RegistrationState(decoding: state.span)
  return try rp.finishRegistration(answer.span, state: state, at: .now()).credential
}

/// Store the credential that this returns in place of the old one: its counter may have moved.
func finishSignIn(
  _ rp: RelyingParty, _ answer: [UInt8], state: [UInt8], credential: RegisteredCredential
) throws -> RegisteredCredential {
  let state = try AuthenticationState(decoding: state.span)
  return try rp.finishAuthentication(answer.span, state: state, credential: credential, at: .now()).credential
}
