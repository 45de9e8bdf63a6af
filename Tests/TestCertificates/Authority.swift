import AssayCodec
package import AssayCrypto

/// A name and a key that issue certificates and revocation lists, good ones unless a test changes something.
package struct Authority: Sendable {
  package let name: String
  package let key: SigningKey

  package init(_ name: String, _ algorithm: SignatureAlgorithm = .es256) throws {
    self.name = name
    key = try SigningKey.generate(algorithm)
  }

  package enum OID {
    package static let ecdsaWithSHA256: [UInt8] = [0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x04, 0x03, 0x02]
    package static let ecdsaWithSHA384: [UInt8] = [0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x04, 0x03, 0x03]
    package static let subjectKeyIdentifier: [UInt8] = [0x55, 0x1D, 0x0E]
    package static let keyUsage: [UInt8] = [0x55, 0x1D, 0x0F]
    package static let subjectAltName: [UInt8] = [0x55, 0x1D, 0x11]
    package static let basicConstraints: [UInt8] = [0x55, 0x1D, 0x13]
    package static let crlNumber: [UInt8] = [0x55, 0x1D, 0x14]
    package static let deltaCRL: [UInt8] = [0x55, 0x1D, 0x1B]
    package static let issuingDistributionPoint: [UInt8] = [0x55, 0x1D, 0x1C]
    package static let nameConstraints: [UInt8] = [0x55, 0x1D, 0x1E]
    package static let certificatePolicies: [UInt8] = [0x55, 0x1D, 0x20]
    package static let authorityKeyIdentifier: [UInt8] = [0x55, 0x1D, 0x23]
    package static let policyConstraints: [UInt8] = [0x55, 0x1D, 0x24]
    package static let unknown: [UInt8] = [0x2B, 0x06, 0x01, 0x04, 0x01, 0x86, 0x8D, 0x1F, 0x01]
  }

  package struct Extension: Sendable {
    package let name: [UInt8], isCritical: Bool, value: [UInt8]

    package init(_ name: [UInt8], critical: Bool = false, _ value: [UInt8]) {
      (self.name, isCritical, self.value) = (name, critical, value)
    }

    package static let endEntity = Extension(OID.basicConstraints, critical: true, [0x30, 0x00])

    package static func authority(below count: UInt8? = nil) -> Extension {
      let limit = count.map { element(.integer, [$0]) } ?? []
      return Extension(OID.basicConstraints, critical: true, element(.sequence, [0x01, 0x01, 0xFF] + limit))
    }

    /// Certificates may only be issued for this domain.
    package static func permitted(dns: String) -> Extension {
      let subtree = element(.sequence, element(0x82, Array(dns.utf8)))
      return Extension(OID.nameConstraints, critical: true, element(.sequence, element(.context0, subtree)))
    }

    package static func altName(dns: String) -> Extension { altName([(0x82, dns)]) }

    /// GeneralNames that are strings: the tag and the value of each.
    package static func altName(_ names: [(tag: UInt8, value: String)]) -> Extension {
      Extension(OID.subjectAltName, element(.sequence, names.flatMap { element($0.tag, Array($0.value.utf8)) }))
    }

    package var der: [UInt8] {
      element(
        .sequence,
        element(.objectIdentifier, name) + (isCritical ? [0x01, 0x01, 0xFF] : []) + element(.octetString, value))
    }
  }

  /// What an ECDSA key of its curve signs certificates with; it is also said of keys that are none.
  private var algorithm: [UInt8] {
    element(.sequence, element(.objectIdentifier, key.algorithm == .es384 ? OID.ecdsaWithSHA384 : OID.ecdsaWithSHA256))
  }

  package static func name(_ commonName: String) -> [UInt8] {
    element(
      .sequence,
      element(
        .set,
        element(
          .sequence, element(.objectIdentifier, [0x55, 0x04, 0x03]) + element(.utf8String, Array(commonName.utf8)))))
  }

  /// A UTCTime or GeneralizedTime, given as its text.
  package static func time(_ text: String) -> [UInt8] {
    element(text.utf8.count == 13 ? .utcTime : .generalizedTime, Array(text.utf8))
  }

  /// Signs a TBSCertificate or a TBSCertList.
  package static func signed(_ fields: [UInt8], algorithm: [UInt8], by key: SigningKey) throws -> [UInt8] {
    let signed = element(.sequence, fields)
    let signature = try key.sign(signed.span, ecdsa: .der)
    return element(.sequence, signed + algorithm + element(.bitString, [0] + signature))
  }

  /// A certificate for `subject`, whose key is `key`.
  package func certificate(
    for subject: String, _ key: SigningKey, serial: UInt8 = 7, from notBefore: String = "200101000000Z",
    to notAfter: String = "400101000000Z", _ extensions: [Extension] = [.endEntity],
    spki: [UInt8]? = nil, algorithm: [UInt8]? = nil
  ) throws -> [UInt8] {
    let algorithm = algorithm ?? self.algorithm
    var fields = element(.context0, [0x02, 0x01, 0x02]) + element(.integer, [serial]) + algorithm + Self.name(name)
    fields += element(.sequence, Self.time(notBefore) + Self.time(notAfter)) + Self.name(subject)
    fields += spki ?? key.verificationKey.numbers.spki()
    if !extensions.isEmpty { fields += element(.context3, element(.sequence, extensions.flatMap(\.der))) }
    return try Self.signed(fields, algorithm: algorithm, by: self.key)
  }

  /// The certificate of its own for itself.
  package func root(from notBefore: String = "200101000000Z", to notAfter: String = "400101000000Z") throws -> [UInt8] {
    try certificate(for: name, key, serial: 1, from: notBefore, to: notAfter, [.authority()])
  }

  /// A certificate for another authority.
  package func certificate(
    for other: Authority, serial: UInt8 = 3, to notAfter: String = "400101000000Z",
    _ extensions: [Extension] = [.authority()]
  ) throws -> [UInt8] {
    try certificate(for: other.name, other.key, serial: serial, to: notAfter, extensions)
  }

  /// A revocation list (RFC 5280, 5.1) that names these serial numbers.
  package func list(
    revoking serials: [UInt8] = [], at thisUpdate: String = "250101000000Z", next nextUpdate: String? = "270101000000Z",
    _ extensions: [Extension] = []
  ) throws -> [UInt8] {
    var fields = element(.integer, [0x01]) + algorithm + Self.name(name) + Self.time(thisUpdate)
    if let nextUpdate { fields += Self.time(nextUpdate) }
    if !serials.isEmpty {
      fields += element(
        .sequence, serials.flatMap { element(.sequence, element(.integer, [$0]) + Self.time(thisUpdate)) })
    }
    let all = [Extension(OID.crlNumber, [0x02, 0x01, 0x01])] + extensions
    fields += element(.context0, element(.sequence, all.flatMap(\.der)))
    return try Self.signed(fields, algorithm: algorithm, by: self.key)
  }
}
