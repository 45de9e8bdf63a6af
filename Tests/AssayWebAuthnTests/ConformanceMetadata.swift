import AssayCodec
import AssayCrypto
import AssayWebAuthn
import TestAuthenticator
import TestCertificates

/// A metadata BLOB of the tests' own authority, with one entry: that of the test authenticator's model.
struct ConformanceMetadata {
  /// What is wrong with the BLOB itself.
  enum Fault {
    case none, signature, chain, intermediateRevoked, leafRevoked
  }

  var attestationTypes = "basic_full"
  var status = "FIDO_CERTIFIED_L1"
  var authenticatorGetInfo = "{}"
  /// The certificate that the entry names; the root if nil.
  var anchor: [UInt8]?

  private func entry() throws -> String {
    let anchor = try anchor ?? TestAuthority.root.certificate().der()
    return """
      {"aaguid":"\(MetadataIdentifier.aaguid(RegistrationAnswer().aaguid).text.string)",\
      "statusReports":[{"status":"\(status)","effectiveDate":"2020-01-01"}],"timeOfLastStatusChange":"2020-01-01",\
      "metadataStatement":{"attestationTypes":["\(attestationTypes)"],\
      "authenticatorGetInfo":\(authenticatorGetInfo),\
      "attestationRootCertificates":["\(Base64.encode(anchor.span).string)"]}}
      """
  }

  /// The BLOB as a relying party verifies it before it relies on it.
  func verified(_ fault: Fault = .none) throws -> MetadataBLOB {
    let maker = try MetadataBLOBTests()
    let leaf = try maker.middle.certificate(for: maker.signer, [.endEntity, .altName(MetadataBLOBTests.host)])
    let issuer = fault == .chain ? try Authority("Root") : maker.root
    let middle = try issuer.certificate(for: maker.middle, serial: 2)
    var blob = try maker.blob(MetadataPayloadTests.payload([try entry()]), x5c: [leaf, middle])
    if fault == .signature {
      let place = blob.count - 40
      blob[place] = blob[place] == UInt8(ascii: "A") ? UInt8(ascii: "B") : UInt8(ascii: "A")
    }
    var policy = MetadataBLOBPolicy()
    let lists = [
      try maker.middle.list(revoking: fault == .leafRevoked ? [3] : []),
      try maker.root.list(revoking: fault == .intermediateRevoked ? [2] : []),
    ]
    policy.revocation = .hardFail(crls: try RevocationLists(lists))
    return try MetadataBLOB.verify(
      blob.span, to: maker.anchors, downloadedAt: MetadataBLOBTests.now, at: MetadataBLOBTests.now, policy)
  }

  /// Has the ceremony trust whom the BLOB names, and nobody else.
  func apply(to ceremony: inout RegistrationCeremony) throws {
    ceremony.options.attestationPolicy.requirement = attestationTypes == "basic_surrogate" ? .none : .trusted
    ceremony.trust = AttestationTrust([], metadata: AttestationTrust.Metadata(try verified(), requiresEntry: true))
  }
}

/// FIDO's tests of the metadata service.
enum ConformanceMDS {
  private static let compromised = [
    "USER_VERIFICATION_BYPASS", "ATTESTATION_KEY_COMPROMISE", "USER_KEY_REMOTE_COMPROMISE",
    "USER_KEY_PHYSICAL_COMPROMISE",
  ]

  static let tests: [ConformanceItem] = [
    .trusts("P-1", "an authenticator of a valid BLOB", .packed),
    ConformanceItem(
      id: "F-1", what: "a status that says compromised",
      shown: .ceremonies(
        compromised.map { .model(ConformanceMetadata(status: $0), .packed, nil, nil) }, .authenticatorNotAccepted)),
    .refusesBLOB("F-2", "signature", .signature, .signature),
    .refusesBLOB("F-3", "certificates", .chain, .path(CertificatePathError(.signatureInvalid, depth: 1))),
    .refusesBLOB(
      "F-4", "intermediate revoked", .intermediateRevoked, .path(CertificatePathError(.revoked, depth: 1))),
    .refusesBLOB("F-5", "leaf revoked", .leafRevoked, .path(CertificatePathError(.revoked, depth: 0))),
  ]

  /// What cannot be tested here, and why.
  static let absent = [
    ("F-1 [21]", "a statement's hash differs from the TOC: MDS2 is shut down, MDS3 has no hashes")
  ]
}
