import AssayCodec
import AssayCrypto
import AssayWebAuthn

/// A ceremony ended otherwise than it must.
public struct BrokenPromise: Error {
  /// What was promised.
  public let promise: StaticString
}

/// What is left of the input.
private struct Choices {
  private var rest: ArraySlice<UInt8>

  init(_ bytes: [UInt8]) { rest = bytes[...] }

  mutating func byte() -> Int { Int(rest.popFirst() ?? 0) }

  mutating func one<T>(of all: [T]) -> T? { all.isEmpty ? nil : all[(byte() << 8 | byte()) % all.count] }

  mutating func all() -> [UInt8] {
    defer { rest = [] }
    return Array(rest)
  }

  /// Changes that the input chooses: bytes overwritten, inserted or taken out.
  mutating func edit() -> @Sendable (inout [UInt8]) -> Void {
    let (kind, place, bytes) = (byte() % 3, byte() << 8 | byte(), all())
    return { target in
      guard !target.isEmpty else { return }
      let start = place % target.count
      switch kind {
      case 0:
        for (index, byte) in bytes.enumerated() where start + index < target.count { target[start + index] ^= byte }
      case 1: target.insert(contentsOf: bytes, at: start)
      default: target.removeSubrange(start..<min(target.count, start + max(1, bytes.count)))
      }
    }
  }
}

private func require(_ promise: Bool, _ what: StaticString) throws(BrokenPromise) {
  if !promise { throw BrokenPromise(promise: what) }
}

private func refusal(_ body: () throws -> Void) throws(BrokenPromise) -> Refusal? {
  do {
    try body()
    return nil
  } catch let error as WebAuthnError {
    return Refusal(error)
  } catch {
    throw BrokenPromise(promise: "a ceremony can be made")
  }
}

private let roots = (try? TestAuthority.root.certificate().der()).flatMap { try? TrustAnchors(certificates: [$0]) }

private func register(_ choices: inout Choices) throws(BrokenPromise) {
  guard let attestation = choices.one(of: TestAttestation.allCases) else { return }
  let deviates = choices.byte() % 2 == 0
  if deviates {
    let layer = choices.one(of: DeviationLayer.allCases)
    guard let layer, let deviation = choices.one(of: RegistrationDeviation.of(layer, attestation)) else { return }
    var ceremony = RegistrationCeremony(attestation, .es256)
    deviation.change(&ceremony)
    try require(refusal({ _ = try ceremony.finish() }) == deviation.expected, "a deviation ends as its name says")
    return
  }
  guard let algorithm = choices.one(of: attestation.algorithms) else { return }
  var ceremony = RegistrationCeremony(attestation, algorithm)
  guard let whole = try? ceremony.answer.authData() else {
    throw BrokenPromise(promise: "authenticator data can be made")
  }
  let layer = choices.byte() % 7
  // What is written before it is signed.
  switch layer {
  case 0:
    ceremony.answer.parts.clientDataFrame.after = choices.all()
    let clientData = ceremony.answer.parts.clientDataJSON
    guard (try? ceremony.finish()) != nil else { return }
    let read = try? CollectedClientData(clientData.span)
    try require(
      read.map { JSONValue.string($0.challenge) } == TestAuthenticator.base64url(TestAuthenticator.challenge),
      "the challenge is the ceremony's")
    return
  case 1:
    ceremony.answer.parts.flags |= 0x80
    let extensions = choices.all()
    ceremony.answer.parts.authDataEnd = extensions
    guard let verified = try? ceremony.finish() else { return }
    try require(verified.authenticatorData.extensionBytes == extensions, "extensions are what was written")
    return
  case 2:
    let key = choices.all()
    ceremony.answer.coseKeyBytes = key
    guard let verified = try? ceremony.finish() else { return }
    try require(
      verified.authenticatorData.attestedCredentialData?.isRepaired == true
        || verified.credential.publicKey == key, "the key is what was written")
    return
  default: break
  }
  // What is changed after it was signed.
  let edit = choices.edit()
  switch layer {
  case 3: ceremony.answer.parts.spoilAuthData = edit
  case 4: ceremony.answer.parts.spoilClientData = edit
  case 5: ceremony.answer.parts.spoilSignature = edit
  default: ceremony.answer.spoilObject = edit
  }
  guard let verified = try? ceremony.finish(), attestation.isSigned else { return }
  // fido-u2f leaves flags, counter, AAGUID and extensions unsigned.
  try require(verified.credential.id == TestAuthenticator.credentialID, "the credential id was signed")
  let key = try? TestAuthenticator.coseKey(algorithm).encoded()
  try require(verified.credential.publicKey == key, "the public key was signed")
  if attestation != .fidoU2F {
    try require(verified.authenticatorData == (try? AuthenticatorData(whole.span)), "the authenticator data was signed")
  }
}

/// A certificate that was changed after its authority signed it, where that authority is trusted.
private func chain(_ choices: inout Choices) throws(BrokenPromise) {
  guard let roots, var leaf = RegistrationCeremony(.packed, .es256).answer.certificate else { return }
  leaf.issuer = .root
  var ceremony = RegistrationCeremony(.packed, .es256)
  ceremony.options.attestationPolicy.requirement = .trusted
  ceremony.trust = AttestationTrust([.init(name: "the vendor", anchors: roots)])
  ceremony.answer.certificate = leaf
  ceremony.answer.chain = []
  ceremony.answer.spoilCertificate = choices.edit()
  guard let verified = try? ceremony.finish(), let der = try? leaf.der() else { return }
  try require(verified.attestation.trustPath == [der], "the certificate was signed")
}

private func signIn(_ choices: inout Choices) throws(BrokenPromise) {
  if choices.byte() % 2 == 0 {
    guard let layer = choices.one(of: DeviationLayer.allCases),
      let deviation = choices.one(of: AuthenticationDeviation.of(layer))
    else { return }
    var ceremony = AuthenticationCeremony()
    deviation.change(&ceremony)
    try require(refusal({ _ = try ceremony.finish() }) == deviation.expected, "a deviation ends as its name says")
    return
  }
  guard let algorithm = choices.one(of: SignatureAlgorithm.allCases) else { return }
  var ceremony = AuthenticationCeremony(algorithm)
  let whole = ceremony.answer.authData
  let layer = choices.byte() % 3
  let edit = choices.edit()
  switch layer {
  case 0: ceremony.answer.parts.spoilAuthData = edit
  case 1: ceremony.answer.parts.spoilClientData = edit
  default: ceremony.answer.parts.spoilSignature = edit
  }
  guard let verified = try? ceremony.finish() else { return }
  try require(verified.authenticatorData == (try? AuthenticatorData(whole.span)), "the authenticator data was signed")
  var clientData = ceremony.answer.parts.clientDataJSON
  ceremony.answer.parts.spoilClientData(&clientData)
  try require(clientData == ceremony.answer.parts.clientDataJSON, "the client data was signed")
}

/// Ceremonies of which an input chooses the kind, and what is changed about them: a deviation, bytes before they are signed,
/// or bytes after they were.
public enum CeremonyMutation {
  /// Runs the ceremony that `input` describes.
  ///
  /// - Throws: `BrokenPromise` if a deviation ends otherwise than it must, or something is accepted that nobody signed.
  public static func run(_ input: [UInt8]) throws(BrokenPromise) {
    var choices = Choices(input)
    switch choices.byte() % 4 {
    case 0: try signIn(&choices)
    case 1: try chain(&choices)
    default: try register(&choices)
    }
  }
}
