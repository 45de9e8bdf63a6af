import Assay

/// A sign-in with a passkey, from the stored bytes of its key and the browser's JSON to the verdict, beside the one raw
/// P-256 verification it comes to.
enum PasskeyCase {
  static func row(target: Double) throws -> Row {
    let now = UnixTime(1_800_000_000)
    let key = try SigningKey.generate(.es256)
    guard case .ec(_, let x, let y) = key.verificationKey.numbers else { throw Unusable(what: "P-256 key") }
    // COSE_Key, CTAP2 canonical: kty EC2, alg ES256, crv P-256, x, y.
    let publicKey = [0xA5, 1, 2, 3, 0x26, 0x20, 1, 0x21, 0x58, 0x20] + x + [0x22, 0x58, 0x20] + y

    let party = try RelyingParty(id: "example.com", origins: ["https://example.com"])
    let id = [UInt8](1...32)
    let user = [UInt8](101...116)
    let credential = try RegisteredCredential(
      vouchedFor: id, user: user, rpId: "example.com", publicKey: publicKey, signCount: 0, uvInitialized: true,
      backupEligible: true, backupState: true, aaguid: [UInt8](repeating: 0, count: 16))
    var options = AuthenticationOptions()
    options.allowCredentials = [credential.descriptor]
    let state = try party.beginAuthentication(user: user, options, at: now).state

    // What an authenticator and a browser make of it. Flags: user present, verified, backup eligible and backed up.
    let authenticatorData = sha256(Array("example.com".utf8)) + [0x1D, 0, 0, 0, 0]
    let challenge = Base64URL.encode(state.challenge.span).string
    let clientData = Array(
      #"{"type":"webauthn.get","challenge":"\#(challenge)","origin":"https://example.com","crossOrigin":false}"#.utf8)
    let message = authenticatorData + sha256(clientData)
    let signature = try key.sign(message.span, ecdsa: .der)
    func text(_ bytes: [UInt8]) -> String { Base64URL.encode(bytes.span).string }
    let answer = Array(
      (#"{"id":"\#(text(id))","rawId":"\#(text(id))","type":"public-key","authenticatorAttachment":"platform","#
        + #""clientExtensionResults":{},"response":{"authenticatorData":"\#(text(authenticatorData))","#
        + #""clientDataJSON":"\#(text(clientData))","signature":"\#(text(signature))","userHandle":"\#(text(user))"}}"#)
        .utf8)

    return Row(
      name: "passkey sign-in", target: target,
      assay: {
        _ = try party.finishAuthentication(answer.span, state: state, credential: credential, at: now)
        return true
      },
      raw: rawVerification(try rawKey(key.verificationKey.numbers), signature, message))
  }
}
