public import AssayCodec
public import AssayCrypto

/// What a vendor states of a model of authenticators (FIDO Metadata Statement, 4).
public struct MetadataStatement: Hashable, Sendable {
  /// A version of a protocol.
  public struct Version: Hashable, Sendable {
    /// The number before the point.
    public let major: UInt64
    /// The number after the point.
    public let minor: UInt64
  }

  /// One method of verifying the user, with what is stated of it (FIDO Metadata Statement, 3.4).
  public struct VerificationMethodDescriptor: Hashable, Sendable {
    /// The method.
    public let userVerificationMethod: MetadataVerificationMethod
    /// Every member: `caDesc`, `baDesc` and `paDesc` say how good it is.
    public let members: JSONObject
  }

  /// The model's name, in English.
  public let description: UTF8Text?
  /// The earliest version the statement is about.
  public let authenticatorVersion: UInt64?
  /// `uaf`, `u2f` or `fido2`.
  public let protocolFamily: UTF8Text?
  /// The version of the statement's own form.
  public let schema: UInt64?
  /// The versions of the protocol that it speaks.
  public let upv: [Version]
  /// The algorithms with which it signs, in the registry's words.
  public let authenticationAlgorithms: [UTF8Text]
  /// The forms in which it hands out public keys, in the registry's words.
  public let publicKeyAlgAndEncodings: [UTF8Text]
  /// How it vouches for new credentials.
  public let attestationTypes: [MetadataAttestationType]
  /// How it verifies its user: one of these, each all of its methods together.
  public let userVerificationDetails: [[VerificationMethodDescriptor]]
  /// Where it keeps keys.
  public let keyProtection: [KeyProtection]
  /// Whether its keys sign only what the protocol says. Said to be so if it is left out.
  public let isKeyRestricted: Bool
  /// Whether its keys sign only after verifying the user anew. Said to be so if it is left out.
  public let isFreshUserVerificationRequired: Bool
  /// Where it compares what it knows of its user; the weakest, if it does so in several ways.
  public let matcherProtection: [MatcherProtection]
  /// The strength of its keys in bits, if it is stated.
  public let cryptoStrength: UInt64?
  /// How it is connected, in the registry's words.
  public let attachmentHint: [UTF8Text]
  /// How it shows what is to be confirmed, in the registry's words.
  public let tcDisplay: [UTF8Text]
  /// The certificates that vouch for its attestation certificates, in DER: roots, others, or the attestation certificate
  /// itself.
  public let attestationRootCertificates: [[UInt8]]
  /// A picture as a `data:` URL; nil also if pictures were not kept.
  public let icon: UTF8Text?
  /// What a FIDO2 authenticator answers to `authenticatorGetInfo`, as JSON.
  public let authenticatorGetInfo: JSONObject?
  /// Every member, also those that have no name here. Pictures that were not kept are null.
  public let members: JSONObject

  /// The members that hold pictures, which make up half of a BLOB.
  static let pictures: [UTF8Text] = ["icon", "iconDark", "providerLogoLight", "providerLogoDark"]

  init(_ members: MetadataMembers) throws(MetadataError) {
    description = try members.text("description")
    authenticatorVersion = try members.unsigned("authenticatorVersion")
    protocolFamily = try members.text("protocolFamily")
    schema = try members.unsigned("schema")
    upv = try members.list("upv") {
      guard let major = $0["major"]?.number?.uint64, let minor = $0["minor"]?.number?.uint64 else { return nil }
      return Version(major: major, minor: minor)
    }
    authenticationAlgorithms = try members.texts("authenticationAlgorithms")
    publicKeyAlgAndEncodings = try members.texts("publicKeyAlgAndEncodings")
    attestationTypes = try members.texts("attestationTypes").map { MetadataAttestationType($0) }
    userVerificationDetails = try members.list("userVerificationDetails") { Self.methods($0) }
    keyProtection = try members.texts("keyProtection").map { KeyProtection($0) }
    isKeyRestricted = try members.bool("isKeyRestricted") ?? true
    isFreshUserVerificationRequired = try members.bool("isFreshUserVerificationRequired") ?? true
    matcherProtection = try members.texts("matcherProtection").map { MatcherProtection($0) }
    cryptoStrength = try members.unsigned("cryptoStrength")
    attachmentHint = try members.texts("attachmentHint")
    tcDisplay = try members.texts("tcDisplay")
    var roots: [[UInt8]] = []
    for text in try members.texts("attestationRootCertificates") {
      roots.append(try members.certificate(text, "attestationRootCertificates"))
    }
    attestationRootCertificates = roots
    if case .null? = members.object["icon"] { icon = nil } else { icon = try members.text("icon") }
    authenticatorGetInfo = try members.object("authenticatorGetInfo")
    self.members = members.object
  }

  /// The methods that are used together; nil if it is not a list of them.
  private static func methods(_ value: JSONValue) -> [VerificationMethodDescriptor]? {
    guard let elements = value.array else { return nil }
    let methods = elements.compactMap { element -> VerificationMethodDescriptor? in
      guard let members = element.object, let method = members["userVerificationMethod"]?.string else { return nil }
      return VerificationMethodDescriptor(userVerificationMethod: MetadataVerificationMethod(method), members: members)
    }
    return methods.count == elements.count ? methods : nil
  }
}

extension MetadataStatement {
  /// The certificates that vouch for attestation certificates of this model.
  ///
  /// - Throws: `CertificatePathError` if one cannot be read; none then counts.
  public func trustAnchors() throws(CertificatePathError) -> TrustAnchors {
    try TrustAnchors(certificates: attestationRootCertificates)
  }

  /// The attestation type of a credential of this model, knowing what the statement says of its attestation; nil if it
  /// does not vouch that way. Stays `basicOrAttCA` if it vouches both ways.
  public func attestationType(_ type: AttestationType) -> AttestationType? {
    switch type {
    case .none: attestationTypes.contains(.none) ? type : nil
    case .selfAttestation: attestationTypes.contains(.basicSurrogate) ? type : nil
    case .basic: attestationTypes.contains(.basicFull) ? type : nil
    case .attCA: attestationTypes.contains(.attCA) ? type : nil
    case .anonCA: attestationTypes.contains(.anonCA) ? type : nil
    // Each part of a compound attestation has a type of its own.
    case .compound, .unverified: nil
    case .basicOrAttCA:
      switch (attestationTypes.contains(.basicFull), attestationTypes.contains(.attCA)) {
      case (true, true): .basicOrAttCA
      case (true, false): .basic
      case (false, true): .attCA
      case (false, false): nil
      }
    }
  }
}
