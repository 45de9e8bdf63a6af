import AssayCodec
import AssayCrypto
import AssayWebAuthn
import Foundation
import TestAuthenticator
import TestCertificates
import TestSupport
import Testing

/// The README's table of what passkeys put up with: each row accepted where it says so, and refused otherwise.
struct ToleranceTableTests {
  struct Row: Sendable, CustomTestStringConvertible {
    /// What the table calls it.
    let name: String
    /// Why it is refused where nothing was asked for; nil where it is always accepted.
    let refusal: Refusal?
    /// A ceremony with the deviation, without and with its option.
    let finish: @Sendable (_ isAskedFor: Bool) throws -> Void

    var testDescription: String { name }
  }

  private static func registering(
    _ name: String, _ refusal: Refusal?, _ deviate: @escaping @Sendable (inout RegistrationAnswer) throws -> Void,
    _ allow: @escaping @Sendable (inout RegistrationOptions) -> Void = { _ in }
  ) -> Row {
    Row(name: name, refusal: refusal) { isAskedFor in
      var answer = RegistrationAnswer()
      var options = RegistrationOptions()
      options.algorithms = SignatureAlgorithm.allCases
      try deviate(&answer)
      if isAskedFor { allow(&options) }
      _ = try RegistrationRuleTests.finish(answer, options)
    }
  }

  private static func signingIn(
    _ name: String, _ refusal: Refusal?, tolerances: ResponseTolerances = [],
    _ deviate: @escaping @Sendable (inout AuthenticationRuleTests.Ceremony) -> Void,
    _ allow: @escaping @Sendable (inout AuthenticationOptions) -> Void = { _ in }
  ) -> Row {
    Row(name: name, refusal: refusal) { isAskedFor in
      var ceremony = AuthenticationRuleTests.Ceremony()
      deviate(&ceremony)
      if isAskedFor { allow(&ceremony.options) }
      ceremony.options.challenge = TestAuthenticator.challenge
      let rp = try TestAuthenticator.relyingParty()
      let start = try rp.beginAuthentication(user: ceremony.user, ceremony.options, at: TestAuthenticator.now)
      let json = try ceremony.answer.json()
      let response = try AuthenticationResponse(json: json.span, isAskedFor ? tolerances : [])
      _ = try rp.finishAuthentication(
        response, state: start.state, credential: ceremony.stored(), at: TestAuthenticator.now)
    }
  }

  /// Bytes whose base64url has both of its own letters, and whose base64 is padded.
  private static let telling: [UInt8] = [0xFB, 0xEF, 0xBF, 0xFF]

  private static let rows: [Row] = [
    signingIn("empty `userHandle`", nil, { $0.answer.userHandle = "" }),
    signingIn("byte order mark", nil, { $0.answer.parts.clientDataFrame.before = [0xEF, 0xBB, 0xBF] }),
    signingIn(
      "`ResponseTolerances.padding`", Refusal(.malformedResponse, 3, "userHandle"), tolerances: .padding,
      {
        $0.storedUser = [0xFF]
        $0.user = [0xFF]
        $0.answer.userHandle = "_w=="
      }),
    signingIn(
      "`ResponseTolerances.standardAlphabet`", Refusal(.malformedResponse, 3, "userHandle"),
      tolerances: [.standardAlphabet, .padding],
      {
        $0.storedUser = telling
        $0.user = telling
        $0.answer.userHandle = "+++//w=="
      }),
    signingIn(
      "`ResponseTolerances.userHandleAsText`", Refusal(.malformedResponse, 3, "userHandle"),
      tolerances: .userHandleAsText,
      {
        $0.storedUser = Array("alice@example.com".utf8)
        $0.user = nil
        $0.answer.userHandle = "alice@example.com"
      }),
    registering(
      "`AttestationPolicy.allowsFirefox117Key`",
      Refusal(.malformedAuthenticatorData, 13, "credentialPublicKey"),
      {
        guard case .edwards(_, let x) = try TestAuthenticator.coseKey(.edDSA).numbers else { return }
        let start: [UInt8] = [0xA3, 0x01, 0x63] + Array("OKP".utf8) + [0x03, 0x27, 0x20, 0x67]
        $0.parts.algorithm = .edDSA
        $0.coseKeyBytes = start + Array("Ed25519".utf8) + [0x21, 0x58, 0x20] + x
      }, { $0.attestationPolicy.allowsFirefox117Key = true }),
    registering(
      "`AttestationPolicy.allowsPaddedSignature`", Refusal(.signatureInvalid, 22, "sig"),
      {
        $0.certificate = TestCertificate()
        $0.parts.spoilSignature = { signature in
          let middle = 4 + Int(signature[3])
          let (r, s) = (Array(signature[4..<middle]), Array(signature[(middle + 2)...]))
          signature = element(.sequence, element(.integer, [0, 0] + r) + element(.integer, [0, 0] + s))
        }
      }, { $0.attestationPolicy.allowsPaddedSignature = true }),
    registering(
      "`AttestationPolicy.allowsSHA1`", Refusal(.algorithmNotSupported, 22, "alg"),
      {
        $0.fmt = "tpm"
        var tpm = TestTPM()
        tpm.publicArea.nameAlg = 0x0004
        $0.tpm = tpm
      }, { $0.attestationPolicy.allowsSHA1 = true }),
    registering(
      "`AndroidKeyPolicy.allowsMissingAuthorizations`", Refusal(.attestationCertificateNotAllowed, 22, "origin"),
      {
        $0.fmt = "android-key"
        var statement = AndroidKeyStatement()
        statement.description.tee = []
        $0.makeStatement = { [statement] in try statement.made($0, $1) }
      }, { $0.attestationPolicy.androidKey.allowsMissingAuthorizations = true }),
    Row(
      name: "`SafetyNetPolicy.requiresCTSProfileMatch`", refusal: Refusal(.attestationNotAllowed, 22, "ctsProfileMatch")
    ) { isAskedFor in
      var ceremony = RegistrationCeremony(.safetyNet, .es256)
      var statement = SafetyNetStatement()
      statement.payload["ctsProfileMatch"] = false
      ceremony.answer.makeStatement = { [statement] in try statement.made($0, $1) }
      if isAskedFor { ceremony.options.attestationPolicy.safetyNet?.requiresCTSProfileMatch = false }
      _ = try ceremony.finish()
    },
    registering(
      "`AttestationPolicy.unknownFormat`", Refusal(.attestationFormatNotSupported, 21, "fmt"),
      { $0.fmt = "banana" }, { $0.attestationPolicy.unknownFormat = .ignore }),
    registering(
      "`RegistrationOptions.isConditional`", Refusal(.userNotPresent, 15, "flags"),
      { $0.parts.flags &= ~0x01 }, { $0.isConditional = true }),
    signingIn(
      "`BackupEligibilityPolicy.allowUpgrade`", Refusal(.backupEligibilityChanged, 19, "flags"),
      { $0.answer.parts.flags |= 0x08 }, { $0.backupEligibilityPolicy = .allowUpgrade }),
    signingIn(
      "`BackupEligibilityPolicy.follow`", Refusal(.backupEligibilityChanged, 19, "flags"),
      { $0.storedBackupEligible = true }, { $0.backupEligibilityPolicy = .follow }),
    signingIn(
      "`SignCountPolicy.report`", Refusal(.signCountNotIncreased, 22, "signCount"),
      { $0.storedSignCount = 7 }, { $0.signCountPolicy = .report }),
  ]

  @Test(arguments: rows) func isAcceptedOnlyAsTheTableSays(_ row: Row) throws {
    let refusal = try RegistrationRuleTests.refusal { try row.finish(false) }
    #expect(refusal?.code == row.refusal?.code && refusal?.step == row.refusal?.step, "\(String(describing: refusal))")
    #expect(try RegistrationRuleTests.refusal { try row.finish(true) } == nil)
  }

  @Test func everyRowIsInTheTableAndTheOtherWayRound() throws {
    let readme = try String(
      contentsOf: TestData.vectors.deletingLastPathComponent().appending(path: "README.md"), encoding: .utf8)
    let section = readme.components(separatedBy: "### What passkeys put up with\n").dropFirst().first ?? ""
    let names = section.split(separator: "\n").drop { !$0.hasPrefix("|---") }.dropFirst().prefix { $0.hasPrefix("|") }
      .compactMap { $0.split(separator: "|").first?.trimmingCharacters(in: .whitespaces) }
    #expect(names.sorted() == Self.rows.map(\.name).sorted())
  }

  /// A text is taken as it stands, also where it happens to be base64url.
  @Test func whichOfTwoReadingsAHandleHasIsNotGuessed() throws {
    var answer = SignInAnswer()
    answer.userHandle = "YWxpY2U"
    let json = try answer.json()
    #expect(try AuthenticationResponse(json: json.span).userHandle == Array("alice".utf8))
    let text = try AuthenticationResponse(json: json.span, .userHandleAsText)
    #expect(text.userHandle == Array("YWxpY2U".utf8))
    // Nothing else is read otherwise.
    #expect(text.credentialID == TestAuthenticator.credentialID)
    for none in [nil, .null, ""] as [JSONValue?] {
      answer.userHandle = none
      let json = try answer.json()
      #expect(try AuthenticationResponse(json: json.span, .userHandleAsText).userHandle == nil)
    }
    answer.userHandle = 1
    let number = try answer.json()
    #expect(throws: WebAuthnError.self) { try AuthenticationResponse(json: number.span, .userHandleAsText) }
  }
}
