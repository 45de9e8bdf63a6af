import AssayCodec
import Foundation
import TestAuthenticator
import TestCertificates
import TestSupport
import Testing

/// `passkey metadata`.
@Suite struct PasskeyMetadataTests {
  private static let payload = #"""
    {"legalHeader":"Terms","no":7,"nextUpdate":"2026-02-01","entries":[
    {"aaguid":"ee882879-721c-4913-9775-3dfcce97072a","metadataStatement":{"description":"Key\u001b[2J 5",
    "userVerificationDetails":[[{"userVerificationMethod":"passcode_external"},
    {"userVerificationMethod":"presence_internal"}],[{"userVerificationMethod":"none"}]],
    "keyProtection":["hardware"],"attestationRootCertificates":["MAA="]},
    "statusReports":[{"status":"FIDO_CERTIFIED_L1","effectiveDate":"2020-05-12"}]},
    {"aaid":"1234#5678","statusReports":[{"status":"FIDO_CERTIFIED_L2"},
    {"status":"REVOKED","effectiveDate":"2025-01-01"},{"status":"NOT_FIDO_CERTIFIED","effectiveDate":"2099-01-01"}]},
    {"aaid":"1234#5679","statusReports":7}]}
    """#

  private static func file() throws -> String { try ToolRun.file(Array(payload.utf8), "metadata.json") }

  private static func run(_ arguments: String...) throws -> ToolRun {
    try ToolRun.run(["passkey", "metadata", "--at", "1768435200"] + arguments)
  }

  @Test func theWholeIsSummedUp() throws {
    let run = try Self.run("--blob", Self.file())
    #expect(run.status == 0 && run.text.hasPrefix("WARNING: NOTHING WAS VERIFIED"), "\(run.errors)")
    #expect(run.text.contains("WARNING: entry 2, statusReports: it has the wrong JSON type"))
    let json = try Self.run("--json", "--blob", Self.file())
    #expect(json.json?["no"] == 7 && json.json?["count"] == 3 && json.json?["refusedCount"] == 1)
    #expect(json.json?["nextUpdate"] == "2026-02-01" && json.json?["warnings"]?.array?.count == 2)
  }

  @Test func entriesAreShown() throws {
    let run = try Self.run("--blob", Self.file(), "EE882879-721c-4913-9775-3dfcce97072a", "1234#5678")
    #expect(run.status == 0 && run.text.hasPrefix("WARNING: NOTHING WAS VERIFIED"), "\(run.errors)")
    #expect(run.text.contains("\nKey\\u{1B}[2J 5\n"))
    #expect(run.text.contains("passcode_external + presence_internal, none"))
    #expect(run.text.contains("FIDO_CERTIFIED_L1 since 2020-05-12\n"))
    #expect(run.text.contains("1, NOT all readable"))
    #expect(run.text.contains("NO: see the status reports"))
    #expect(
      run.text.contains("FIDO_CERTIFIED_L2, REVOKED since 2025-01-01, NOT_FIDO_CERTIFIED since 2099-01-01 (not yet)"))
    let json = try Self.run("--json", "--blob", Self.file(), "1234#5678", "ee882879-721c-4913-9775-3dfcce97072a")
    let entries = try #require(json.json?["entries"]?.array)
    #expect(entries.map { $0["accepted"] } == [false, true])
    #expect(entries.map { $0["certification"] } == [.null, "FIDO_CERTIFIED_L1"])
    #expect(entries[0]["verdict"]?["requirements"]?.array?.count == 1)
    #expect(entries[0]["identifiers"] == ["1234#5678"] && entries[1]["keyProtection"] == ["hardware"])
  }

  @Test func refusals() throws {
    let file = try Self.file()
    for (arguments, says, status) in [
      ([], "--blob is missing", 2),
      (["--blob", file, "yubikey"], "no AAGUID", 2),
      (["--blob", file, "--after", "7"], "--after is for a BLOB that is verified", 2),
      (["--blob", file, "--crl", "x"], "--crl is for a BLOB that is verified", 2),
      (["--blob", file, "--signer", "x"], "--signer is for a BLOB that is verified", 2),
      (["--blob", file, "ee882879-721c-4913-9775-3dfcce97072b"], "it has no entry for", 1),
      (["--blob", file, "1234#5679"], "entry 2, statusReports", 1),
      (["--blob", file, "--roots", file], "this is only the payload", 1),
      (["--blob", try ToolRun.file(Array("a.b.c".utf8))], "payload", 1),
      (["--blob", try ToolRun.file(Array("a.b.c".utf8)), "--roots", file], "PEM", 1),
      (["--blob", try ToolRun.file(Array("{}".utf8))], "no: it is required and missing", 1),
    ] as [([String], String, Int32)] {
      let run = try ToolRun.run(["passkey", "metadata", "--json"] + arguments)
      run.expectRefusal(says)
      #expect(run.status == status && run.errors.contains(says), "\(run.errors)")
    }
  }

  @Test(.enabled(if: TestData.hasExtra && OpenSSLTool.path != nil)) func aBLOBIsVerified() throws {
    let folder = try #require(TestData.extra).appending(path: "webauthn/mds")
    let blob = folder.appending(path: "tweag-small.jwt").path
    let roots = folder.appending(path: "tweag-small-root.crt").path
    func run(_ arguments: [String]) throws -> ToolRun {
      try ToolRun.run(["passkey", "metadata", "--blob", blob, "--at", "1620000000"] + arguments)
    }
    let signer = ["--roots", roots, "--signer", "any"]
    let late = try run(signer)
    late.expectRefusal("out of date")
    #expect(late.errors.contains("nextUpdate: there is a newer BLOB"))
    let good = try run(signer + ["--grace", "500", "--after", "15", "0132d110-bf4e-4208-a403-ab4f5f12efe5"])
    #expect(good.status == 0 && !good.text.contains("WARNING"), "\(good.errors)")
    #expect(good.text.contains("FIDO Alliance Sample FIDO2 Authenticator"))
    let other = try run(["--roots", roots, "--grace", "500"])
    other.expectRefusal("another signer")
    #expect(other.errors.contains("subjectAltName: its signer's certificate is not that of the metadata service"))
    let named = try run(["--roots", roots, "--grace", "500", "--signer", "example.org"])
    #expect(named.status == 1)
    let old = try run(signer + ["--grace", "500", "--after", "16"])
    old.expectRefusal("rollback")
    #expect(old.errors.contains("no: the BLOB is older than the one accepted before"))
    let own = try ToolRun.file(
      OpenSSLTool.run("req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", "/dev/null", "-subj", "/CN=other"))
    let unknown = try run(["--roots", own, "--signer", "any"])
    unknown.expectRefusal("unknown issuer")
    #expect(unknown.errors.contains("trust anchor"))
    let unlisted = try run(signer + ["--crl", own])
    #expect(unlisted.status == 1)
  }

  /// Of a chain with an authority in the middle, each certificate has a list of another issuer.
  @Test func everyIssuersListIsTaken() throws {
    let (root, middle, signer) = (
      try Authority("Root"), try Authority("Middle"), try Authority("Metadata")
    )
    let x5c = [
      try middle.certificate(for: signer, [.endEntity, .altName(dns: "mds.fidoalliance.org")]),
      try root.certificate(for: middle, serial: 2),
    ]
    let anchor = try root.root()
    let pem = "-----BEGIN CERTIFICATE-----\n\(Data(anchor).base64EncodedString())\n-----END CERTIFICATE-----\n"
    let files =
      ["--blob", try ToolRun.file(signer.blob(Array(Self.payload.utf8), x5c: x5c)), "--roots"]
      + [try ToolRun.file(Array(pem.utf8))]
    func run(_ lists: [UInt8]...) throws -> ToolRun {
      let options = try lists.flatMap { ["--crl", try ToolRun.file($0, "list.crl")] }
      return try ToolRun.run(["passkey", "metadata", "--at", "1768435200"] + files + options)
    }
    #expect(try run().status == 0)
    let both = try run(middle.list(), root.list())
    #expect(both.status == 0 && both.text.contains("verified"), "\(both.errors)")
    let one = try run(middle.list())
    one.expectRefusal("no list of the root")
    #expect(one.errors.contains("certificate 1 (0 is the first): there is no usable revocation list of its issuer"))
    let revoked = try run(middle.list(), root.list(revoking: [2]))
    revoked.expectRefusal("revoked")
    #expect(revoked.errors.contains("certificate 1 (0 is the first): it is revoked"))
  }
}
