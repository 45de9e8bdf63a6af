import AssayCodec
import AssayCrypto
import AssayWebAuthn
import TestSupport

/// Runs a ceremony file that states the relying party's inputs and its verdict.
struct CorpusRun {
  let file: CeremonyFile
  let error: WebAuthnError?

  var isRegistration: Bool { file.json["kind"]?.string == "registration" }
  var expected: UTF8Text? { file.json["expected"]?.string }

  init(_ file: CeremonyFile) throws {
    self.file = file
    do throws(WebAuthnError) {
      if file.json["kind"]?.string == "registration" {
        try Self.register(file)
      } else {
        try Self.signIn(file)
      }
      error = nil
    } catch {
      self.error = error
    }
  }

  private static func relyingParty(_ file: CeremonyFile) throws(WebAuthnError) -> RelyingParty {
    let topOrigins = file.json["expectedTopOrigin"]?.string.map { [$0] } ?? []
    return try RelyingParty(
      id: file.json["rpId"]?.string?.string ?? "", origins: [file.json["origin"]?.string?.string ?? ""],
      crossOrigin: file.json["allowCrossOrigin"]?.bool == true ? .allowed(topOrigins: topOrigins) : .refused,
      allowInsecureOrigins: true)
  }

  private static func register(_ file: CeremonyFile) throws(WebAuthnError) {
    let rp = try relyingParty(file)
    var options = RegistrationOptions()
    options.challenge = try? file.bytes("challenge")
    options.userVerification = file.json["requireUV"]?.bool == true ? .required : .discouraged
    options.isConditional = file.json["conditionalCreate"]?.bool == true
    options.algorithms = SignatureAlgorithm.allCases
    if let algorithms = file.json["pubKeyAlgs"]?.array {
      options.algorithms = algorithms.compactMap { $0.number?.int64.flatMap { SignatureAlgorithm(coseIdentifier: $0) } }
    }
    let user = PasskeyUser(id: CeremonyFile.someUser, name: "someone", displayName: "Someone")
    let start = try rp.beginRegistration(user: user, options, at: CeremonyFile.now)
    let answer = file.json["credential"]?.encoded() ?? []
    _ = try rp.finishRegistration(answer.span, state: start.state, at: CeremonyFile.now)
  }

  private static func signIn(_ file: CeremonyFile) throws(WebAuthnError) {
    let rp = try relyingParty(file)
    let credential = file.json["credential"]
    let answered = (try? CeremonyFile.decoded(credential?["response"]?["userHandle"])) ?? []
    let user = answered.isEmpty ? CeremonyFile.someUser : answered
    let flags = (try? CeremonyFile.decoded(credential?["response"]?["authenticatorData"]))?.dropFirst(32).first ?? 0
    let isEligible = file.json["storedBackupEligible"]?.bool ?? (flags & 0x08 != 0)
    let stored = try RegisteredCredential(
      vouchedFor: (try? CeremonyFile.decoded(credential?["rawId"])) ?? [1], user: user, rpId: rp.id.string,
      publicKey: (try? file.bytes("publicKeyCose")) ?? [],
      signCount: UInt32(exactly: file.json["storedSignCount"]?.number?.int64 ?? 0) ?? 0, uvInitialized: true,
      backupEligible: isEligible, backupState: false, aaguid: [UInt8](repeating: 0, count: 16))
    var options = AuthenticationOptions()
    options.challenge = try? file.bytes("challenge")
    options.userVerification = file.json["requireUV"]?.bool == true ? .required : .discouraged
    let start = try rp.beginAuthentication(user: user, options, at: CeremonyFile.now)
    let answer = credential?.encoded() ?? []
    _ = try rp.finishAuthentication(answer.span, state: start.state, credential: stored, at: CeremonyFile.now)
  }
}
