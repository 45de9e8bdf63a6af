import AssayCodec
import AssayCrypto
import AssayVectors
import AssayWebAuthn
import Foundation
import TestSupport
import Testing

/// Ceremonies of other projects and of the specification, with one mutation each or as they are.
///
/// What is not supported is told by rule: other statement formats, other algorithms. Those must be refused with the reason
/// that says so, whatever their verdict. Where sources disagree, `scope.json` decides.
@Suite(.enabled(if: TestData.hasExtra))
struct CorpusTests {
  struct Reason: Hashable, CustomStringConvertible {
    let code: WebAuthnError.Code
    let step: Int?

    init(_ code: WebAuthnError.Code, step: Int?) {
      self.code = code
      self.step = step
    }

    var description: String { "\(code) at step \(step ?? 0)" }
  }

  /// Why each ceremony that is invalid, or is decided to be, is refused.
  private static let reasons: [Reason: [String]] = [
    Reason(.algorithmNotAllowed, step: 20): [
      "derived-alg-not-in-pubKeyCredParams"
    ],
    Reason(.attestationCertificateNotAllowed, step: 22): [
      "derived-packed-alg-mismatch", "derived-tpm-alg-swap", "derived-tpm-x5c-order", "gen2-packed-aaguid-ext-critical",
      "gen2-packed-aaguid-ext-mismatch",
      "gen2-packed-aaguid-ext-unwrapped", "gen2-packed-aaguid-zero-ext-nonzero", "gen2-packed-leaf-ca-true",
      "derived-apple-cert-other-key", "gen2-packed-ou-wrong",
      "simplewebauthn-packed-bad-cert-aaguid-mismatch-reg",
      "simplewebauthn-tpm-bad-cert-aaguid-mismatch-reg", "gen2-androidkey-allapplications-tee",
      "gen2-androidkey-purpose-verify-only", "gen2-packed-leaf-no-bc",
      "gen2-androidkey-both-missing",
    ],
    Reason(.attestationMismatch, step: 22): [
      "derived-apple-nonce", "gen2-androidkey-challenge-other",
    ],
    Reason(.attestationNotAllowed, step: 22): [
      "simplewebauthn-android-safetynet-bad-sn-cts-reg"
    ],
    Reason(.backupEligibilityChanged, step: 19): [
      "derived-get-be-changed"
    ],
    Reason(.backupStateInconsistent, step: 17): [
      "derived-authdata-bs-without-be"
    ],
    Reason(.challengeMismatch, step: 11): [
      "derived-get-cdj-challenge-differs", "derived-get-cdj-challenge-empty",
    ],
    Reason(.challengeMismatch, step: 8): [
      "derived-none-cdj-challenge-differs", "derived-reg-cdj-challenge-empty", "derived-none-cdj-challenge-padded",
    ],
    Reason(.credentialIDMismatch, step: 3): [
      "derived-reg-id-rawid-differ"
    ],
    Reason(.crossOriginNotAllowed, step: 10): [
      "derived-none-cdj-crossOrigin-not-allowed"
    ],
    Reason(.crossOriginNotAllowed, step: 13): [
      "derived-get-crossorigin-not-allowed"
    ],
    Reason(.invalidPublicKey, step: 20): [
      "derived-cose-alg-text", "derived-cose-infinity", "derived-cose-kty-okp-with-ec", "derived-cose-no-alg",
      "derived-cose-no-crv", "derived-cose-no-kty", "derived-cose-no-y", "derived-cose-not-map",
      "derived-cose-point-not-on-curve", "derived-cose-x-31-bytes", "derived-cose-x-33-bytes",
      "gen-rs256-1024-reg",
    ],
    Reason(.invalidPublicKey, step: nil): ["gen-rs256-1024-get"],
    Reason(.invalidRelyingPartyID, step: nil): [
      "derived-rpid-uppercase-config"
    ],
    Reason(.malformedAttestationObject, step: 13): [
      "derived-ao-bad-authData-type", "derived-ao-bad-fmt-type", "derived-ao-duplicate-fmt", "derived-ao-no-attStmt",
      "derived-ao-not-map", "derived-ao-trailing-byte",
    ],
    Reason(.malformedAttestationStatement, step: 22): [
      "derived-none-with-attstmt", "derived-packed-as-none", "gen-compound-nested-reg", "derived-apple-x5c-empty",
      "derived-packed-both-x5c-ecdaa",
      "derived-packed-empty-stmt",
      "derived-packed-no-alg", "derived-packed-no-sig", "derived-packed-self-alg-mismatch", "derived-packed-x5c-empty",
      "derived-packed-x5c-garbage", "derived-packed-x5c-not-array", "derived-tpm-no-ver",
      "derived-tpm-pubarea-trailing",
      "derived-u2f-two-certs", "derived-u2f-x5c-missing",
    ],
    Reason(.malformedAuthenticatorData, step: 13): [
      "derived-ao-bad-authData-empty", "derived-authdata-at-clear-data-present", "derived-authdata-at-clear-no-data",
      "derived-authdata-credid-overrun", "derived-authdata-ed-set-no-ext", "derived-authdata-ext-not-map",
      "derived-authdata-ext-without-ed",
      "fido2-lib-none-bad-flags-at-reg", "derived-cose-noncanonical-order", "derived-cose-nonminimal-int",
    ],
    Reason(.malformedClientData, step: 6): [
      "derived-none-cdj-duplicate-type", "derived-none-cdj-trailing-garbage", "derived-reg-cdj-challenge-not-string",
      "derived-reg-cdj-no-challenge", "derived-reg-cdj-no-type", "derived-reg-cdj-type-not-string",
    ],
    Reason(.malformedClientData, step: 9): [
      "derived-get-cdj-no-challenge", "derived-get-cdj-no-origin", "derived-get-cdj-no-type",
    ],
    Reason(.malformedResponse, step: 3): [
      "derived-authdata-credid-empty", "derived-get-authdata-empty", "derived-get-id-missing",
      "derived-get-id-not-string", "derived-get-no-signature", "derived-get-sig-empty", "derived-get-type-missing",
      "derived-get-type-wrong", "derived-reg-id-missing", "derived-reg-type-missing", "derived-reg-type-wrong",
    ],
    Reason(.originNotAllowed, step: 12): [
      "derived-get-cdj-origin-other-port", "derived-get-cdj-origin-scheme-downgrade",
      "derived-get-cdj-origin-suffix-attack",
    ],
    Reason(.originNotAllowed, step: 9): [
      "derived-none-cdj-origin-null", "derived-none-cdj-origin-subdomain-not-listed",
      "derived-reg-cdj-origin-differs", "derived-reg-cdj-origin-scheme-downgrade",
      "derived-reg-cdj-origin-suffix-attack", "derived-none-cdj-origin-explicit-default-port",
      "derived-none-cdj-origin-trailing-slash",
    ],
    Reason(.rpIdHashMismatch, step: 14): [
      "derived-authdata-rpidhash"
    ],
    Reason(.rpIdHashMismatch, step: 15): [
      "derived-get-appid-not-used", "derived-get-rpidhash",
    ],
    Reason(.signCountNotIncreased, step: 22): [
      "derived-get-signcount-equal", "derived-get-signcount-lower",
    ],
    Reason(.signatureInvalid, step: 21): [
      "derived-get-ed25519-sig-flip", "derived-get-other-key", "derived-get-rs256-sig-flip",
      "derived-get-rs256-sig-truncated", "derived-get-sig-r-zero",
    ],
    Reason(.signatureInvalid, step: 22): [
      "derived-packed-no-x5c", "derived-packed-self-authdata-changed", "derived-packed-self-sig-bad",
      "derived-androidkey-cert-other-key", "derived-androidkey-challenge", "derived-androidkey-sig",
      "derived-androidkey-x5c-order", "go-webauthn-android-key-bad-sig-reg",
      "go-webauthn-android-safetynet-bad-sig-reg",
      "derived-packed-sig-bad", "derived-packed-sig-empty", "derived-packed-x5c-wrong-order", "derived-tpm-extradata",
      "derived-tpm-sig", "derived-tpm-type", "derived-u2f-sig-bad", "gen-compound-one-bad-reg",
    ],
    Reason(.topOriginNotAllowed, step: 11): [
      "derived-none-cdj-topOrigin-not-listed", "derived-reg-toporigin-other",
    ],
    Reason(.typeMismatch, step: 10): [
      "derived-get-cdj-type-bogus", "derived-get-cdj-type-empty", "derived-get-cdj-type-swapped",
    ],
    Reason(.typeMismatch, step: 7): [
      "derived-none-cdj-type-get", "derived-none-cdj-type-payment", "derived-reg-cdj-type-bogus",
      "derived-reg-cdj-type-swapped",
    ],
    Reason(.userNotPresent, step: 16): [
      "derived-get-up-clear"
    ],
    Reason(.userNotVerified, step: 16): [
      "derived-authdata-uv-required-clear"
    ],
    Reason(.userNotPresent, step: 15): [
      "fido2-lib-android-safetynet-bad-flags-up-reg", "fido2-lib-android-safetynet-bad-flags-up-reg-2",
    ],
  ]

  /// Valid ceremonies that are refused for another reason than what is not supported.
  private static let exceptions: [String: Reason] = [
    // Its origin ends in a slash, as no origin does.
    "tweag-haskell-packed-7-without-aaguid-json-reg": Reason(.invalidOrigin, step: nil)
  ]

  private static let reasonByName = Dictionary(
    uniqueKeysWithValues: reasons.flatMap { reason, names in names.map { ($0, reason) } })

  @Test(arguments: [
    ("captured", 125, accepted: 109, notSupported: 7),
    ("derived", 135, accepted: 11, notSupported: 1),
    ("generated", 68, accepted: 49, notSupported: 4),
    ("w3c", 30, accepted: 30, notSupported: 0),
  ])
  func verdicts(_ folder: String, _ count: Int, accepted: Int, notSupported: Int) throws {
    let root = try #require(TestData.extra).appending(path: "webauthn/\(folder)")
    let files = try CeremonyFile.all(in: root).filter { $0.json["kind"] != nil }
    #expect(files.count == count)
    var seen = (accepted: 0, notSupported: 0)
    for file in files {
      let run = try CorpusRun(file)
      let actual = run.error.map { Reason($0.code, step: $0.step?.number) }
      #expect(actual == (try Self.expected(run)), "\(file.name)")
      switch run.error?.code {
      case nil: seen.accepted += 1
      case .attestationFormatNotSupported?, .algorithmNotSupported?: seen.notSupported += 1
      default: break
      }
    }
    #expect(seen == (accepted, notSupported))
  }

  @Test func everyNameInTheTablesIsAFile() throws {
    let root = try #require(TestData.extra).appending(path: "webauthn")
    let names = try ["captured", "derived", "generated"].flatMap { folder in
      try CeremonyFile.all(in: root.appending(path: folder)).map(\.name)
    }
    let listed = Set(Self.reasonByName.keys).union(Self.exceptions.keys)
    #expect(listed.subtracting(names) == [])
  }

  private static func expected(_ run: CorpusRun) throws -> Reason? {
    let name = run.file.name
    let stated = run.expected == "policy" ? try CorpusRun.scope.get().decision(on: UTF8Text(name)) : run.expected
    if let reason = exceptions[name] { return reason }
    if let reason = reasonByName[name] {
      #expect(stated == "invalid", "\(name)")
      return reason
    }
    if let alg = run.file.json["alg"]?.number?.int64, SignatureAlgorithm(coseIdentifier: alg) == nil {
      return Reason(.algorithmNotSupported, step: run.isRegistration ? 20 : nil)
    }
    if run.isRegistration {
      let bytes = try CeremonyFile.decoded(run.file.json["credential"]?["response"]?["attestationObject"])
      let object = try AttestationObject(bytes.span)
      let formats: [UTF8Text] = [
        "none", "packed", "fido-u2f", "android-key", "android-safetynet", "apple", "compound", "tpm",
      ]
      guard formats.contains(object.fmt) else {
        return Reason(.attestationFormatNotSupported, step: 21)
      }
    }
    // What is left is supported: a refusal needs a reason in the table.
    #expect(stated == "valid", "\(name)")
    return nil
  }
}
