public import AssayCodec

/// Something that became known of an authenticator (FIDO Metadata Service, 3.1.3).
public struct StatusReport: Hashable, Sendable {
  /// What is said of it.
  public let status: AuthenticatorStatus
  /// From which day on; nil means that it holds since it is in the BLOB.
  public let effectiveDate: MetadataDate?
  /// The version of the authenticator it is about; nil if it is about all.
  public let authenticatorVersion: UInt64?
  /// The attestation certificate it is about in DER, if it is about one.
  public let certificate: [UInt8]?
  /// Where people find more.
  public let url: UTF8Text?
  /// What was certified, in words.
  public let certificationDescriptor: UTF8Text?
  /// The number of the certificate that FIDO issued.
  public let certificateNumber: UTF8Text?
  /// The version of the certification's policy.
  public let certificationPolicyVersion: UTF8Text?
  /// The version of the certification's requirements.
  public let certificationRequirementsVersion: UTF8Text?
  /// Every member, also those that have no name here.
  public let members: JSONObject

  init(_ members: MetadataMembers) throws(MetadataError) {
    guard let status = try members.text("status") else { throw members.fault(.missing, "status") }
    self.status = AuthenticatorStatus(status)
    effectiveDate = try members.date("effectiveDate")
    authenticatorVersion = try members.unsigned("authenticatorVersion")
    // An empty text stands where there is no certificate.
    if let text = try members.text("certificate"), !text.isEmpty {
      certificate = try members.certificate(text, "certificate")
    } else {
      certificate = nil
    }
    url = try members.text("url")
    certificationDescriptor = try members.text("certificationDescriptor")
    certificateNumber = try members.text("certificateNumber")
    certificationPolicyVersion = try members.text("certificationPolicyVersion")
    certificationRequirementsVersion = try members.text("certificationRequirementsVersion")
    self.members = members.object
  }

  /// Whether the report holds at `time`.
  public func isEffective(at time: UnixTime) -> Bool { effectiveDate.map { $0.start <= time } ?? true }
}

/// What was certified of an authenticator's biometric component (FIDO Metadata Service, 3.1.2).
public struct BiometricStatusReport: Hashable, Sendable {
  /// The level of the certification.
  public let certLevel: UInt64
  /// The kind of biometry.
  public let modality: MetadataVerificationMethod
  /// From which day on; nil means that it holds since it is in the BLOB.
  public let effectiveDate: MetadataDate?
  /// Every member, also those that have no name here.
  public let members: JSONObject

  init(_ members: MetadataMembers) throws(MetadataError) {
    guard let certLevel = try members.unsigned("certLevel") else { throw members.fault(.missing, "certLevel") }
    guard let modality = try members.text("modality") else { throw members.fault(.missing, "modality") }
    self.certLevel = certLevel
    self.modality = MetadataVerificationMethod(modality)
    effectiveDate = try members.date("effectiveDate")
    self.members = members.object
  }
}
