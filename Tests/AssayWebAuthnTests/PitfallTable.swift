import Foundation
import TestAuthenticator
import Testing

/// What went wrong in other implementations of passkeys, by its public report, and what keeps it from happening here: a
/// test, or the construction that leaves no room for it.
struct PitfallTable {
  enum Remedy: Equatable {
    /// A file, from this folder, and a name in it: of a test, or of a case of one.
    case test(String, String)
    /// A deviation of the test authenticator.
    case deviation(String)
    case construction(String)
  }

  struct Entry {
    let number: Int
    let report: String
    let remedies: [Remedy]

    init(_ number: Int, _ report: String, _ remedies: Remedy...) {
      self.number = number
      self.report = report
      self.remedies = remedies
    }
  }

  private static let path = "../AssayCryptoTests/CertificatePathTests"
  private static let revocation = "../AssayCryptoTests/CertificatePathRevocationTests"
  private static let blob = "MetadataBLOBTests"

  /// What clients and authenticators put on the wire.
  static let wire: [Entry] = [
    Entry(
      1, "py_webauthn#160, SimpleWebAuthn#440: Ed25519 keys of Firefox 117",
      .test("ToleranceTests", "firefox117KeyIsPutRight"), .test("ToleranceTests", "onlyExactlyThatIsPutRight")),
    Entry(
      2, "pico-fido#136: the key taken as the rest of the data", .deviation("extensions"),
      .construction("one CBOR item is decoded, and what follows it is read as extensions")),
    Entry(
      3, "key length measured by encoding it again",
      .construction("AuthenticatorData takes the bytes its reader went over"),
      .test("CorpusTests", "derived-cose-nonminimal-int")),
    Entry(
      5, "webauthn-rs: malformed EdDSA key of SoloKey v2 alpha", .deviation("Ed25519 point of small order")),
    Entry(
      6, "go-webauthn#408: padded integers in attestation signatures",
      .test("ToleranceTests", "paddedSignatureIsForgivenIfAskedFor")),
    Entry(
      7, "cose-lib#167: conversion between DER and raw",
      .construction("signatures are never converted for WebAuthn: DER is parsed strictly and verified as it is")),
    Entry(8, "fido2-net-lib#154: r and s instead of DER", .deviation("signature of fixed width, as JOSE has it")),
    Entry(9, "java-webauthn-server#194: userHandle empty", .deviation("userHandle empty, which is absent")),
    Entry(
      10, "webauthn-framework#392: userHandle as plain text", .deviation("userHandle not base64url"),
      .test("ToleranceTests", "paddedAndStandardBase64AreForgivenByNameOnly")),
    Entry(
      11, "SimpleWebAuthn#640: padded ids, compared as texts", .deviation("id padded"),
      .test("ToleranceTests", "paddedAndStandardBase64AreForgivenByNameOnly")),
    Entry(
      12, "java-webauthn-server#159: android:apk-key-hash is no URL",
      .test("OriginTests", "theOriginThatMatchedIsReported"), .test("OriginTests", "fingerprintsInEveryFormPeopleHave")),
    Entry(
      13, "java-webauthn-server#34: port, path and slash in configured origins",
      .test("OriginTests", "whatIsWrongIsSaidWithItsPlace"), .test("OriginTests", "anyPortIsForLocalhostAndSaidByName"),
      .construction("subdomains are listed one by one: no pattern stands for all of them")),
    Entry(14, "SimpleWebAuthn#90: several origins", .test("OriginTests", "theOriginThatMatchedIsReported")),
    Entry(
      15, "go-webauthn#626: topOrigin ignored or always refused", .deviation("topOrigin without crossOrigin"),
      .deviation("topOrigin that is not listed"), .deviation("frame, allowed")),
    Entry(16, "WebAuthn 7.1 step 5: byte order mark", .deviation("byte order mark")),
    Entry(
      17, "unknown members, white space and order of client data",
      .deviation("unknown client data members"), .test("RegistrationRuleTests", "duplicateMembersAreRefused")),
    Entry(
      18, "go-webauthn#335, webauthn-rs#185: backup eligibility that changes",
      .test("ToleranceTests", "backupEligibility")),
    Entry(
      19, "duo-labs/webauthn#64, fido2-net-lib 4.0: signature counters", .deviation("no counter"),
      .deviation("counter zero after it counted"),
      .test("AuthenticationRuleTests", "counterThatDidNotGrowIsReportedAndKept")),
    Entry(
      20, "py_webauthn#236: conditional creation", .deviation("not present, in a conditional creation"),
      .deviation("user not present")),
    Entry(
      21, "java-webauthn-server#68: authenticator data in a CBOR string",
      .test("ToleranceTests", "authenticatorDataOfCTAPIsRecognised")),
    Entry(
      22, "w3c/webauthn#1485: attestation although none was asked for", .deviation("unknown format"),
      .test("ToleranceTests", "unknownFormatIsIgnoredIfAskedFor"),
      .construction("known formats are verified whatever was asked for")),
    Entry(23, "two spellings of a token binding status", .deviation("tokenBinding.status of another word")),
    Entry(
      25, "java-webauthn-server 2.5.2: further members of toJSON()",
      .deviation("unknown member of the response"),
      .construction("the test authenticator writes a wrong publicKey and authenticatorData beside every answer")),
  ]

  /// Attestation.
  static let attestations: [Entry] = [
    Entry(26, "SimpleWebAuthn#665: list of TPM makers", .deviation("a vendor that nobody knows")),
    Entry(
      28, "fido2-net-lib#166: Windows Hello's root", .test("TrustTests", "microsoftTPM.anchors"),
      .construction("anchors are chosen by the statement's format, and never by what a certificate says of its maker")),
    Entry(
      29, "conformance#862: malformed extensions that nobody needs",
      .deviation("unknown extension that is malformed"), .deviation("an unknown extension that is malformed")),
    Entry(
      31, "python-fido2: clockInfo.safe", .deviation("what is ignored"),
      .test("TPMStructureTests", "onlyWhatIsIgnoredMayDifferInCertInfo")),
    Entry(
      32, "SimpleWebAuthn#783: Google's root of 2026", .test("TrustTests", "googleHardwareAttestation.anchors"),
      .test(path, "leadsFromLeafToRoot"), .test(path, "rootInThePathIsThePolicysToAllow")),
    Entry(
      33, "webauthn-framework#928: android-key origin and purpose", .deviation("no origin"),
      .deviation("purpose without signing"), .deviation("further purposes"),
      .deviation("tee, and only software tells the origin")),
    Entry(34, "go-webauthn: ENUMERATED or INTEGER", .deviation("security level an INTEGER")),
    Entry(
      36, "GHSA-6hxq-p678-4hr2: a root of the sender's own",
      .construction("anchors come from `AttestationTrust` and the metadata alone"),
      .test(path, "certificatesOfTheAttackerAreNoAnchors"), .test("TrustTests", "gen2-chain-evil-root")),
    Entry(
      37, "privacyidea#2097: leaf match only", .test(path, "leadsFromLeafToRoot"),
      .test(path, "anyCertificateMayBeTheAnchor")),
    Entry(
      38, "jans#14371: requirements for packed certificates", .deviation("version 2"),
      .deviation("country of three letters"), .deviation("organisation empty"),
      .deviation("unit in small letters"), .deviation("no common name"), .deviation("cA true"),
      .deviation("country left to its users")),
    Entry(
      39, "AAGUID of the certificate ignored", .deviation("another aaguid named"),
      .deviation("aaguid in one layer only"), .deviation("aaguid critical"),
      .deviation("another aaguid named")),
    Entry(
      40, "java-webauthn-server 2.4.0: AAGUID of zeros beside a certificate's",
      .deviation("aaguid named, and none in the authenticator data"),
      .test("CertificateAttestationTests", "u2f.certificateAAGUID")),
    Entry(
      41, "SimpleWebAuthn#61: apple statements", .deviation("alg beside"),
      .deviation("nonce in no sequence"), .deviation("nonce in no [1]")),
    Entry(
      42, "open-bike-computer#346: App Attest's authenticator data",
      .deviation("ED clear, extensions there"), .test("AppAttestTests", "extensions with ED clear")),
    Entry(
      43, "w3c/webauthn#1035: SafetyNet's time", .deviation("timestampMs 0"),
      .deviation("not allowed by the policy")),
    Entry(44, "SimpleWebAuthn#722: ctsProfileMatch", .deviation("ctsProfileMatch false")),
    Entry(
      45, "go-webauthn#778: the metadata's root of 2026", .test("TrustTests", "TrustAnchors.fidoMetadataService"),
      .test(blob, "theCertificatesMustLeadToAnAnchor")),
    Entry(
      46, "conformance#810: metadata's signer expires", .test(blob, "certificatesAreJudgedAtTheTimeOfTheDownload"),
      .test(blob, "theNextUpdateMustNotBeOverdue")),
    Entry(
      47, "java-webauthn-server 2.5.3: unknown metadata", .test("MetadataPayloadTests", "everythingComesOut"),
      .test("MetadataPayloadTests", "aBrokenEntrySinksNoOther")),
    Entry(
      48, "conformance#633: revocation lists", .test(blob, "revokedCertificatesAreRefused"),
      .test(revocation, "missingListsCountWhenTheyMust"),
      .test(revocation, "listsThatAreNotCurrentCountWhenTheyMust")),
    Entry(49, "w3c/webauthn#2333: a modulus of 3482 bits", .test("CorpusTests", "(\"w3c\", 30")),
    Entry(50, "cose-lib#174: short RSA moduli", .test("CorpusTests", "gen-rs256-1024-reg")),
  ]

  /// What a run of two libraries over the same ceremonies showed.
  static let differences: [Entry] = [
    Entry(
      51, "py_webauthn 3.0.1", .deviation("attestation object with a byte more"),
      .deviation("extensions an array"), .deviation("credential id of 1024 bytes"),
      .deviation("frame of another origin"), .deviation("ES256 on P-384"),
      .deviation("point off the curve"), .deviation("another aaguid named")),
    Entry(
      52, "python-fido2 2.2.1", .deviation("type of a password"), .deviation("a member in the statement"),
      .deviation("backed up without being eligible"), .deviation("two certificates"),
      .construction("an attestation object may be any well-formed CBOR: each of its members is checked")),
    Entry(53, "keys not checked at registration", .deviation("point off the curve")),
    Entry(
      54, "RSA-PSS with a salt of any length",
      .construction("one value of SignatureAlgorithm fixes the salt's length")),
    Entry(
      55, "high S in ECDSA, S + L in Ed25519", .test("CorpusTests", "derived-get-sig-r-zero"),
      .construction("AssayCrypto demands S below the order, and has no rule for a low S in ECDSA")),
  ]

  /// Advisories and interfaces.
  static let interfaces: [Entry] = [
    Entry(
      56, "YSA-2026-02: a credential of another user", .deviation("ceremony and record of another user"),
      .construction("beginAuthentication has a parameter `user` without a default")),
    Entry(57, "GHSA-6hxq-p678-4hr2: as 36", .test(path, "certificatesOfTheAttackerAreNoAnchors")),
    Entry(
      58, "GHSA-f66q-9rf6-8795: any user's credential", .deviation("record of another user"),
      .test("AuthenticationRuleTests", "whatASuccessSays")),
    Entry(
      59, "cedarjs#2545: a verdict that can be overlooked",
      .construction("every failure is thrown, and only verification makes the result types")),
    Entry(
      60, "open-mercato#5306: parts of a verification", .construction("the ceremonies are public as a whole only")),
    Entry(
      61, "w3c/webauthn#753: whose id", .deviation("credential not allowed"),
      .deviation("ceremony of another user")),
    Entry(62, "py_webauthn#27: presence", .deviation("user not present"), .deviation("user not present")),
    Entry(
      63, "go-webauthn#561: challenges that are short or old",
      .test("RelyingPartyTests", "optionsThatCannotBeAreRefused"),
      .test("RecordTests", "aStateExpiresAndBelongsToOneRelyingParty")),
    Entry(
      64, "webauthn-rs: insecure algorithms", .deviation("alg unknown"), .deviation("RS1 unless it is allowed"),
      .construction("SHA-1 is no SignatureAlgorithm")),
    Entry(
      65, "swift-webauthn: U2F keys, algorithms, extensions, origins",
      .construction("U2F answers have COSE keys too, read by the one reader"), .deviation("ES256 on P-384"),
      .deviation("extensions an array"), .test("OriginTests", "theOriginThatMatchedIsReported")),
  ]

  private static let all = wire + attestations + differences + interfaces

  @Test func everyReportIsListedOnce() {
    let numbers = Self.all.map(\.number)
    #expect(numbers == numbers.sorted())
    #expect(Set(numbers).count == numbers.count)
    // The numbers left out were never given.
    #expect(Set(1...65).subtracting(numbers) == [4, 24, 27, 30, 35])
    #expect(Self.all.allSatisfy { !$0.remedies.isEmpty && !$0.report.isEmpty })
  }

  @Test func everyTestThatIsNamedIsThere() throws {
    let folder = URL(filePath: #filePath).deletingLastPathComponent()
    let deviations = Set(DeviationTests.names)
    var sources: [String: String] = [:]
    var count = 0
    for entry in Self.all {
      for remedy in entry.remedies {
        switch remedy {
        case .test(let file, let name):
          let source = try sources[file] ?? String(contentsOf: folder.appending(path: "\(file).swift"), encoding: .utf8)
          sources[file] = source
          #expect(source.contains(name), "\(entry.number): \(file) \(name)")
        case .deviation(let name): #expect(deviations.contains(name), "\(entry.number): \(name)")
        case .construction: continue
        }
        count += 1
      }
    }
    #expect(count > 70)
  }
}
