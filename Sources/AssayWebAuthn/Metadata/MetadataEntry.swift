public import AssayCodec

/// What a BLOB says of one model of authenticators (FIDO Metadata Service, 3.1.1).
public struct MetadataEntry: Hashable, Sendable {
  /// Which entry of the BLOB it is, from 0.
  public let index: Int
  /// The AAGUID of a FIDO2 authenticator.
  public let aaguid: [UInt8]?
  /// The AAID of a UAF authenticator.
  public let aaid: UTF8Text?
  /// The key identifiers of the attestation certificates of a U2F authenticator.
  public let attestationCertificateKeyIdentifiers: [[UInt8]]
  /// What its vendor states of it.
  public let metadataStatement: MetadataStatement?
  /// What was certified of its biometric component.
  public let biometricStatusReports: [BiometricStatusReport]
  /// What became known of it, in order.
  public let statusReports: [StatusReport]
  /// When that last changed.
  public let timeOfLastStatusChange: MetadataDate?
  /// Every member, also those that have no name here.
  public let members: JSONObject

  init(_ object: JSONObject, index: Int) throws(MetadataError) {
    let members = MetadataMembers(object: object, entry: index)
    self.index = index
    aaguid = try Self.identifier(members, "aaguid") { MetadataIdentifier.aaguid($0) }
    aaid = try Self.identifier(members, "aaid") { MetadataIdentifier.aaid($0) }
    let texts = try members.texts("attestationCertificateKeyIdentifiers")
    attestationCertificateKeyIdentifiers = texts.compactMap { MetadataIdentifier.keyIdentifier($0) }
    guard attestationCertificateKeyIdentifiers.count == texts.count else {
      throw members.fault(.invalidValue, "attestationCertificateKeyIdentifiers")
    }
    if let statement = try members.object("metadataStatement") {
      metadataStatement = try MetadataStatement(MetadataMembers(object: statement, entry: index))
    } else {
      metadataStatement = nil
    }
    var biometric: [BiometricStatusReport] = []
    for report in try members.objects("biometricStatusReports") { biometric.append(try BiometricStatusReport(report)) }
    biometricStatusReports = biometric
    // Without them nothing would be known against it: that they are there is what makes the rest of worth.
    guard object["statusReports"] != nil else { throw members.fault(.missing, "statusReports") }
    var reports: [StatusReport] = []
    for report in try members.objects("statusReports") { reports.append(try StatusReport(report)) }
    statusReports = reports
    timeOfLastStatusChange = try members.date("timeOfLastStatusChange")
    self.members = object
  }

  private static func identifier<T>(
    _ members: MetadataMembers, _ name: Field, _ parse: (UTF8Text) -> T?
  ) throws(MetadataError) -> T? {
    guard let text = try members.text(name) else { return nil }
    guard let identifier = parse(text) else { throw members.fault(.invalidValue, name) }
    return identifier
  }

  /// All identifiers of the model.
  public var identifiers: [MetadataIdentifier] {
    (aaguid.map { [.aaguid($0)] } ?? []) + (aaid.map { [.aaid($0)] } ?? [])
      + attestationCertificateKeyIdentifiers.map { .keyIdentifier($0) }
  }
}
