import AssayCodec
import AssayCrypto
import AssayWebAuthn
import Foundation
import TestSupport
import Testing

/// Reading payloads of metadata BLOBs (FIDO Metadata Service, 3.1).
@Suite struct MetadataPayloadTests {
  /// One entry with everything that is read, of which a test changes one part.
  static let entry = #"""
    {"aaguid":"ee882879-721c-4913-9775-3dfcce97072a","metadataStatement":{
    "aaguid":"ee882879-721c-4913-9775-3dfcce97072a","description":"Key 5","authenticatorVersion":328706,
    "protocolFamily":"fido2","schema":3,"upv":[{"major":1,"minor":0}],
    "authenticationAlgorithms":["secp256r1_ecdsa_sha256_raw","ml_dsa_44"],
    "publicKeyAlgAndEncodings":["cose"],"attestationTypes":["basic_full","quantum"],
    "userVerificationDetails":[[{"userVerificationMethod":"none"}],
    [{"userVerificationMethod":"passcode_external","caDesc":{"base":64,"minLength":4}},
    {"userVerificationMethod":"presence_internal"}]],
    "keyProtection":["hardware","secure_element"],"matcherProtection":["on_chip"],"cryptoStrength":128,
    "attachmentHint":["external","nfc"],"tcDisplay":[],"attestationRootCertificates":["MAA=", "MA\n A"],
    "icon":"data:image/png;base64,AAAA","providerLogoDark":"data:,x","newMember":{"a":[1]},
    "authenticatorGetInfo":{"versions":["FIDO_2_3"]}},
    "statusReports":[{"status":"FIDO_CERTIFIED_L1","effectiveDate":"2020-05-12","certificateNumber":"F1",
    "authenticatorVersion":5,"url":"https://example.com","certificate":"","certificationDescriptor":"d",
    "certificationPolicyVersion":"1.0.0","certificationRequirementsVersion":"1.2","certificationProfiles":["x"]},
    {"status":"RETIRED_SOON"}],
    "biometricStatusReports":[{"certLevel":1,"modality":"fingerprint_internal","effectiveDate":"2021-01-01"}],
    "timeOfLastStatusChange":"2020-05-12","extra":null}
    """#
  static let uaf = #"{"aaid":"1234#ab5C","statusReports":[{"status":"NOT_FIDO_CERTIFIED"}]}"#
  static let u2f = #"""
    {"attestationCertificateKeyIdentifiers":["bf7bcaa0d0c6187a8c6abbdd16a15640e7c7bde2",
    "753300D65DCC73A39A7DB31EF308DB9FA0B566AE"],"statusReports":[]}
    """#

  static func payload(_ entries: [String], _ head: String = #""no":7,"nextUpdate":"2026-02-01""#) -> [UInt8] {
    Array("{\"legalHeader\":\"L\",\(head),\"unknown\":[{}],\"entries\":[\(entries.joined(separator: ","))]}".utf8)
  }

  static func read(_ json: [UInt8], keepsPictures: Bool = false) throws(MetadataError) -> MetadataPayload {
    try MetadataPayload.decodeWithoutVerifying(json: json.span, keepsPictures: keepsPictures)
  }

  static func entry(_ text: String) throws -> MetadataEntry { try read(payload([text])).entry(at: 0) }

  @Test func everythingComesOut() throws {
    let payload = try Self.read(Self.payload([Self.entry, Self.uaf, Self.u2f]))
    #expect(payload.legalHeader == "L" && payload.no == 7 && payload.nextUpdate.text == "2026-02-01")
    #expect(payload.count == 3 && payload.refusedEntries().isEmpty)
    let aaguid = try #require(MetadataIdentifier("EE882879-721C-4913-9775-3dfcce97072a"))
    let found = try payload.entries(for: aaguid)
    let entry = try #require(found.first)
    #expect(found.count == 1 && entry.index == 0 && entry.identifiers == [aaguid])
    #expect(entry.timeOfLastStatusChange?.text == "2020-05-12" && entry.members["extra"] == .null)
    #expect(entry.statusReports.map(\.status.word) == ["FIDO_CERTIFIED_L1", "RETIRED_SOON"])
    let report = entry.statusReports[0]
    #expect(report.effectiveDate?.text == "2020-05-12" && report.authenticatorVersion == 5 && report.certificate == nil)
    #expect(report.certificateNumber == "F1" && report.url == "https://example.com")
    #expect(report.certificationDescriptor == "d" && report.certificationPolicyVersion == "1.0.0")
    #expect(report.certificationRequirementsVersion == "1.2" && report.members["certificationProfiles"] == ["x"])
    #expect(entry.biometricStatusReports.first?.modality == .fingerprint)
    #expect(entry.biometricStatusReports.first?.certLevel == 1)
    let statement = try #require(entry.metadataStatement)
    #expect(statement.description == "Key 5" && statement.authenticatorVersion == 328_706)
    #expect(statement.protocolFamily == "fido2" && statement.schema == 3 && statement.upv.first?.major == 1)
    #expect(statement.authenticationAlgorithms == ["secp256r1_ecdsa_sha256_raw", "ml_dsa_44"])
    #expect(statement.publicKeyAlgAndEncodings == ["cose"])
    #expect(statement.attestationTypes == [.basicFull, MetadataAttestationType("quantum")])
    #expect(statement.userVerificationDetails.map(\.count) == [1, 2])
    #expect(statement.userVerificationDetails[1][0].members["caDesc"]?["minLength"] == 4)
    #expect(statement.keyProtection == [.hardware, .secureElement] && statement.matcherProtection == [.onChip])
    #expect(statement.isKeyRestricted && statement.isFreshUserVerificationRequired && statement.cryptoStrength == 128)
    #expect(statement.attachmentHint == ["external", "nfc"] && statement.tcDisplay.isEmpty)
    #expect(statement.attestationRootCertificates == [[0x30, 0], [0x30, 0]])
    #expect(statement.authenticatorGetInfo?["versions"] == ["FIDO_2_3"])
    #expect(statement.members["newMember"] == ["a": [1]])
  }

  @Test func picturesAreKeptOnlyIfAskedFor() throws {
    let without = try Self.entry(Self.entry).metadataStatement
    #expect(without?.icon == nil && without?.members["icon"] == .null && without?.members["providerLogoDark"] == .null)
    let json = Self.payload([Self.entry])
    let with = try Self.read(json, keepsPictures: true).entry(at: 0).metadataStatement
    #expect(with?.icon == "data:image/png;base64,AAAA" && with?.members["providerLogoDark"] == "data:,x")
  }

  @Test func eachKindOfIdentifierFindsItsEntry() throws {
    let payload = try Self.read(Self.payload([Self.entry, Self.uaf, Self.u2f, Self.u2f]))
    func found(_ text: UTF8Text) throws -> [Int] {
      try payload.entries(for: try #require(MetadataIdentifier(text))).map(\.index)
    }
    #expect(try found("1234#AB5c") == [1])
    #expect(try found("BF7BCAA0D0C6187A8C6ABBDD16A15640E7C7BDE2") == [2, 3])
    #expect(try found("753300d65dcc73a39a7db31ef308db9fa0b566ae") == [2, 3])
    #expect(try found("753300d65dcc73a39a7db31ef308db9fa0b566af").isEmpty)
    #expect(try found("ee882879-721c-4913-9775-3dfcce97072b").isEmpty)
    for text in [
      "", "ee882879721c491397753dfcce97072", "ee882879721c-491397753dfcce97072a", "1234#ab5", "1234#ab5g", "1234#ab5c ",
    ] as [UTF8Text] {
      #expect(MetadataIdentifier(text) == nil)
    }
    for text in ["ee882879-721c-4913-9775-3dfcce97072a", "1234#AB5C"] as [UTF8Text] {
      #expect(MetadataIdentifier(text)?.text == text)
    }
  }

  /// U2F authenticators have no AAGUID: a BLOB that names the one of zeros must not speak for them.
  @Test func theAAGUIDOfZerosFindsNothing() throws {
    let zeros = "00000000-0000-0000-0000-000000000000"
    let payload = try Self.read(
      Self.payload([Self.entry.replacing("ee882879-721c-4913-9775-3dfcce97072a", with: zeros)]))
    #expect(try payload.entry(at: 0).aaguid == [UInt8](repeating: 0, count: 16))
    #expect(try payload.entries(for: .aaguid([UInt8](repeating: 0, count: 16))).isEmpty)
  }

  /// A certificate by another program: its own subjectKeyIdentifier is made by method 1.
  @Test(.enabled(if: OpenSSLTool.path != nil)) func keyIdentifierOfACertificate() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "assay-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let certificate = folder.appending(path: "c.der").path
    _ = try OpenSSLTool.run(
      "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", folder.appending(path: "k.pem").path, "-subj",
      "/CN=a",
      "-outform", "DER", "-out", certificate)
    let der = Array(try Data(contentsOf: URL(filePath: certificate)))
    let said = try OpenSSLTool.run(
      "x509", "-inform", "DER", "-in", certificate, "-noout", "-ext", "subjectKeyIdentifier")
    let lines = String(decoding: said, as: UTF8.self).split(separator: "\n")
    let expected = try Base16.decode(Array(try #require(lines.last).utf8).span, [.anyCase, .separators])
    #expect(try MetadataIdentifier(ofAttestationCertificate: der.span) == .keyIdentifier(expected))
    #expect(throws: MetadataError.self) { try MetadataIdentifier(ofAttestationCertificate: Array(der.dropLast()).span) }
  }

  /// Each spoils its own entry, says why, and leaves the others as they are.
  static let broken: [(old: String, new: String, field: Field)] = [
    (#""metadataStatement":{"#, #""metadataStatement":1,"x":{"#, "metadataStatement"),
    (#""statusReports":["#, #""reports":["#, "statusReports"),
    (#""statusReports":["#, #""statusReports":[1,"#, "statusReports"),
    (#""status":"FIDO"#, #""stat":"FIDO"#, "status"), (#""status":"FIDO_CERTIFIED_L1""#, #""status":1"#, "status"),
    ("2020-05-12\",\"certificateNumber", "2020-02-30\",\"certificateNumber", "effectiveDate"),
    (#""certificate":"""#, #""certificate":"?""#, "certificate"), (#""certLevel":1"#, #""certLevel":-1"#, "certLevel"),
    (#""modality":"#, #""m":"#, "modality"), (#""schema":3"#, #""schema":"3""#, "schema"),
    (#""major":1"#, #""major":"1""#, "upv"),
    (#"["basic_full","#, #"[1,"#, "attestationTypes"),
    (#"[[{"userVerificationMethod":"none""#, #"[[{"x":"none""#, "userVerificationDetails"),
    (#""keyProtection":["hardware""#, #""keyProtection":[["hardware"]"#, "keyProtection"),
    (#""matcherProtection":["on_chip"]"#, #""matcherProtection":"on_chip""#, "matcherProtection"),
    (#""MAA=""#, #""MAA*""#, "attestationRootCertificates"),
    (#""authenticatorGetInfo":{"#, #""authenticatorGetInfo":[],"x":{"#, "authenticatorGetInfo"),
    (#""timeOfLastStatusChange":"2020-05-12""#, #""timeOfLastStatusChange":"yesterday""#, "timeOfLastStatusChange"),
  ]

  @Test(arguments: broken) func aBrokenEntrySinksNoOther(_ one: (old: String, new: String, field: Field)) throws {
    let changed = Self.entry.replacing(one.old, with: one.new)
    #expect(changed != Self.entry)
    let payload = try Self.read(Self.payload([Self.uaf, changed, Self.u2f]))
    #expect(payload.count == 3)
    let refused = payload.refusedEntries()
    #expect(refused.count == 1 && refused.first?.entry == 1 && refused.first?.field == one.field, "\(refused)")
    #expect(refused.first?.description.hasPrefix("entry 1, ") == true)
    _ = try payload.entry(at: 0)
    _ = try payload.entry(at: 2)
    // It is found and refused: it never passes for an authenticator of which nothing is known.
    let aaguid = try #require(MetadataIdentifier("ee882879-721c-4913-9775-3dfcce97072a"))
    #expect(throws: MetadataError.self) { try payload.entries(for: aaguid) }
  }

  /// An entry that is not found could be the one that says a model is revoked.
  @Test func whatNamesAModelMustBeReadable() throws {
    let (aaguid, aaid) = ("ee882879-721c-4913-9775-3dfcce97072a", "1234#ab5C")
    func refusal(_ changed: String) -> MetadataError? {
      do throws(MetadataError) {
        _ = try Self.read(Self.payload([Self.u2f, changed]))
        return nil
      } catch {
        return error
      }
    }
    func named(_ name: String, _ value: String) -> String { #"{"\#(name)":\#(value),"statusReports":[]}"# }
    let wanted = try #require(MetadataIdentifier(UTF8Text(aaguid)))
    for text in [
      aaguid, aaguid.uppercased(), aaguid.replacing("-", with: ""), aaguid.uppercased().replacing("-", with: ""),
    ] {
      let entry = named("aaguid", "\"\(text)\"")
      #expect(try Self.read(Self.payload([Self.u2f, entry])).entries(for: wanted).map(\.index) == [1], "\(text)")
    }
    for (name, good) in [("aaguid", aaguid), ("aaid", aaid)] {
      #expect(refusal(named(name, "\"\(good)\"")) == nil)
      let offset = Self.payload([Self.u2f, named(name, "")]).count - #","statusReports":[]}]}"#.utf8.count
      let cut = String(good.dropLast())
      for text in ["", cut, "\(good)0", "\(good) ", " \(good)", "{\(good)}", "g\(good.dropFirst())", "\(cut)\u{662}"] {
        let error = refusal(named(name, "\"\(text)\""))
        let fault = CodecError(.invalidValue, name == "aaid" ? "aaid" : "aaguid", at: offset)
        #expect(error?.code == .malformed(fault) && error?.field == "metadata BLOB payload", "\(text)")
        #expect(error?.description == "\(fault)")
      }
      for value in ["1", "null", "true", "[]", "{}", "[\"\(good)\"]"] {
        let fault = CodecError(.wrongType, name == "aaid" ? "aaid" : "aaguid", at: offset)
        #expect(refusal(named(name, value))?.code == .malformed(fault), "\(value)")
      }
    }
  }

  @Test func entriesOfAnotherTypeAndSizeAreRefusedAlone() throws {
    let large = #"{"statusReports":[],"x":"\#(String(repeating: "x", count: MetadataPayload.maximumEntryBytes))"}"#
    let payload = try Self.read(Self.payload(["1", large, Self.uaf, "[]"]))
    #expect(payload.refusedEntries().map(\.entry) == [0, 1, 3])
    #expect(throws: MetadataError.self) { try payload.entry(at: 4) }
    #expect(throws: MetadataError.self) { try payload.entry(at: -1) }
    // A large picture that is not kept does not count.
    let picture = Self.entry.replacing("AAAA", with: String(repeating: "A", count: MetadataPayload.maximumEntryBytes))
    #expect(try Self.read(Self.payload([picture])).refusedEntries().isEmpty)
  }

  static let refusedPayloads: [(text: String, code: MetadataError.Code, field: Field)] = [
    (#"{"nextUpdate":"2026-02-01","entries":[]}"#, .missing, "no"),
    (#"{"no":"1","nextUpdate":"2026-02-01","entries":[]}"#, .wrongType, "no"),
    (#"{"no":[1],"nextUpdate":"2026-02-01","entries":[]}"#, .wrongType, "no"),
    (#"{"no":1.0,"nextUpdate":"2026-02-01","entries":[]}"#, .wrongType, "no"),
    (#"{"no":1,"entries":[]}"#, .missing, "nextUpdate"),
    (#"{"no":1,"nextUpdate":20260201,"entries":[]}"#, .wrongType, "nextUpdate"),
    (#"{"no":1,"nextUpdate":"2026-13-01","entries":[]}"#, .invalidValue, "nextUpdate"),
    (#"{"no":1,"nextUpdate":"2026-02-01"}"#, .missing, "entries"),
    (#"{"no":1,"nextUpdate":"2026-02-01","entries":{}}"#, .wrongType, "entries"),
    (#"{"legalHeader":1,"no":1,"nextUpdate":"2026-02-01","entries":[]}"#, .wrongType, "legalHeader"),
    (
      #"{"no":1,"no":2,"nextUpdate":"2026-02-01","entries":[]}"#,
      .malformed(CodecError(.duplicateKey, "JSON member name", at: 8)), "metadata BLOB payload"
    ),
    ("[]", .malformed(CodecError(.wrongType, "metadata BLOB payload", at: 0)), "metadata BLOB payload"),
    ("[", .malformed(CodecError(.truncated, "JSON value", at: 1)), "metadata BLOB payload"),
  ]

  @Test(arguments: refusedPayloads)
  func refusedAsAWhole(_ one: (text: String, code: MetadataError.Code, field: Field)) throws {
    _ = try Self.read(Array(#"{"no":1,"nextUpdate":"2026-02-01","entries":[]}"#.utf8))
    let error = #expect(throws: MetadataError.self) { try Self.read(Array(one.text.utf8)) }
    #expect(error?.code == one.code && error?.field == one.field, "\(one.text): \(String(describing: error))")
  }

  @Test func truncationsAndChangesAreTotal() throws {
    let text = Self.payload([Self.uaf, Self.entry, Self.u2f])
    for count in stride(from: 0, to: text.count, by: 3) {
      #expect(throws: MetadataError.self) { try Self.read(Array(text[..<count])) }
    }
    for index in text.indices {
      for change: UInt8 in [0x01, 0x20] {
        var changed = text
        changed[index] ^= change
        let accepted = try? Self.read(changed)
        // What the reader of JSON refuses, this one refuses; what it keeps of the rest can be read or says why not.
        if (try? JSONValue.decode(changed.span)) == nil { #expect(accepted == nil, "byte \(index)") }
        _ = accepted?.refusedEntries()
      }
    }
  }

  @Test func dates() throws {
    for (text, seconds) in [
      ("1970-01-01", 0), ("1969-12-31", -86_400), ("2000-02-29", 951_782_400), ("2026-11-01", 1_793_491_200),
      ("9999-12-31", 253_402_214_400), ("1900-03-01", -2_203_891_200),
    ] as [(UTF8Text, Int64)] { #expect(MetadataDate(text)?.start == UnixTime(seconds), "\(text.string)") }
    for text in [
      "", "2026-11-1", "2026-11-001", "2026/11/01", "2025-02-29", "1900-02-29", "2026-00-01", "2026-01-00",
      "1899-12-31",
      "2026-04-31", "2026-11-01T00:00:00Z", "+026-11-01",
    ] as [UTF8Text] { #expect(MetadataDate(text) == nil, "\(text.string)") }
  }

  @Test func attestationTypesAreResolved() throws {
    func resolved(_ stated: String, _ type: AttestationType) throws -> AttestationType? {
      let text = Self.entry.replacing(#"["basic_full","quantum"]"#, with: stated)
      return try Self.entry(text).metadataStatement?.attestationType(type)
    }
    #expect(try resolved(#"["basic_full"]"#, .basicOrAttCA) == .basic)
    #expect(try resolved(#"["attca"]"#, .basicOrAttCA) == .attCA)
    #expect(try resolved(#"["attca","basic_full"]"#, .basicOrAttCA) == .basicOrAttCA)
    #expect(try resolved(#"["basic_surrogate"]"#, .basicOrAttCA) == nil)
    #expect(try resolved(#"["basic_surrogate"]"#, .selfAttestation) == .selfAttestation)
    #expect(try resolved(#"["basic_full"]"#, .selfAttestation) == nil)
    #expect(try resolved(#"["anonca"]"#, .anonCA) == .anonCA)
    #expect(try resolved(#"["basic_full"]"#, .anonCA) == nil)
    #expect(try resolved(#"["none"]"#, AttestationType.none) == AttestationType.none)
    #expect(try resolved(#"["basic_full","none"]"#, .unverified) == nil)
    #expect(try resolved(#"["basic_full","none"]"#, .compound) == nil)
  }
}
