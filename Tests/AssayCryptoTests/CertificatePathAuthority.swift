import AssayCodec
import AssayCrypto

/// One DER element, by hand, so that nothing of what is tested is needed to write it.
func element(_ tag: UInt8, _ contents: [UInt8]) -> [UInt8] {
  let count = contents.count
  let length: [UInt8] =
    switch count {
    case ..<0x80: [UInt8(count)]
    case ..<0x100: [0x81, UInt8(count)]
    default: [0x82, UInt8(truncatingIfNeeded: count >> 8), UInt8(truncatingIfNeeded: count)]
    }
  return [tag] + length + contents
}

/// A name and a key that issue certificates and revocation lists, good ones unless a test changes something.
struct Authority {
  let name: String
  let key: SigningKey

  init(_ name: String, _ algorithm: SignatureAlgorithm = .es256) throws {
    self.name = name
    key = try SigningKey.generate(algorithm)
  }

  enum OID {
    static let ecdsaWithSHA256: [UInt8] = [0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x04, 0x03, 0x02]
    static let subjectKeyIdentifier: [UInt8] = [0x55, 0x1D, 0x0E]
    static let keyUsage: [UInt8] = [0x55, 0x1D, 0x0F]
    static let subjectAltName: [UInt8] = [0x55, 0x1D, 0x11]
    static let basicConstraints: [UInt8] = [0x55, 0x1D, 0x13]
    static let crlNumber: [UInt8] = [0x55, 0x1D, 0x14]
    static let deltaCRL: [UInt8] = [0x55, 0x1D, 0x1B]
    static let issuingDistributionPoint: [UInt8] = [0x55, 0x1D, 0x1C]
    static let nameConstraints: [UInt8] = [0x55, 0x1D, 0x1E]
    static let certificatePolicies: [UInt8] = [0x55, 0x1D, 0x20]
    static let authorityKeyIdentifier: [UInt8] = [0x55, 0x1D, 0x23]
    static let policyConstraints: [UInt8] = [0x55, 0x1D, 0x24]
    static let unknown: [UInt8] = [0x2B, 0x06, 0x01, 0x04, 0x01, 0x86, 0x8D, 0x1F, 0x01]
  }

  struct Extension {
    let name: [UInt8], isCritical: Bool, value: [UInt8]

    init(_ name: [UInt8], critical: Bool = false, _ value: [UInt8]) {
      (self.name, isCritical, self.value) = (name, critical, value)
    }

    static let endEntity = Extension(OID.basicConstraints, critical: true, [0x30, 0x00])

    static func authority(below count: UInt8? = nil) -> Extension {
      let limit = count.map { element(0x02, [$0]) } ?? []
      return Extension(OID.basicConstraints, critical: true, element(0x30, [0x01, 0x01, 0xFF] + limit))
    }

    /// Certificates may only be issued for this domain.
    static func permitted(dns: String) -> Extension {
      let subtree = element(0x30, element(0x82, Array(dns.utf8)))
      return Extension(OID.nameConstraints, critical: true, element(0x30, element(0xA0, subtree)))
    }

    static func altName(dns: String) -> Extension {
      Extension(OID.subjectAltName, element(0x30, element(0x82, Array(dns.utf8))))
    }

    var der: [UInt8] {
      element(0x30, element(0x06, name) + (isCritical ? [0x01, 0x01, 0xFF] : []) + element(0x04, value))
    }
  }

  static let algorithm = element(0x30, element(0x06, OID.ecdsaWithSHA256))

  static func name(_ commonName: String) -> [UInt8] {
    element(
      0x30, element(0x31, element(0x30, element(0x06, [0x55, 0x04, 0x03]) + element(0x0C, Array(commonName.utf8)))))
  }

  /// A UTCTime or GeneralizedTime, given as its text.
  static func time(_ text: String) -> [UInt8] { element(text.utf8.count == 13 ? 0x17 : 0x18, Array(text.utf8)) }

  /// Signs a TBSCertificate or a TBSCertList.
  func signed(_ fields: [UInt8], algorithm: [UInt8] = Self.algorithm) throws -> [UInt8] {
    let signed = element(0x30, fields)
    return element(0x30, signed + algorithm + element(0x03, [0] + (try key.sign(signed, .der))))
  }

  /// A certificate for `subject`, whose key is `key`.
  func certificate(
    for subject: String, _ key: SigningKey, serial: UInt8 = 7, from notBefore: String = "200101000000Z",
    to notAfter: String = "400101000000Z", _ extensions: [Extension] = [.endEntity],
    spki: [UInt8]? = nil, algorithm: [UInt8] = Self.algorithm
  ) throws -> [UInt8] {
    var fields = element(0xA0, [0x02, 0x01, 0x02]) + element(0x02, [serial]) + algorithm + Self.name(name)
    fields += element(0x30, Self.time(notBefore) + Self.time(notAfter)) + Self.name(subject)
    fields += spki ?? key.verificationKey.numbers.spki()
    if !extensions.isEmpty { fields += element(0xA3, element(0x30, extensions.flatMap(\.der))) }
    return try signed(fields, algorithm: algorithm)
  }

  /// The certificate of its own for itself.
  func root(from notBefore: String = "200101000000Z", to notAfter: String = "400101000000Z") throws -> [UInt8] {
    try certificate(for: name, key, serial: 1, from: notBefore, to: notAfter, [.authority()])
  }

  /// A certificate for another authority.
  func certificate(for other: Authority, serial: UInt8 = 3, _ extensions: [Extension] = [.authority()]) throws
    -> [UInt8]
  {
    try certificate(for: other.name, other.key, serial: serial, extensions)
  }

  /// A revocation list (RFC 5280, 5.1) that names these serial numbers.
  func list(
    revoking serials: [UInt8] = [], at thisUpdate: String = "250101000000Z", next nextUpdate: String? = "270101000000Z",
    _ extensions: [Extension] = []
  ) throws -> [UInt8] {
    var fields = element(0x02, [0x01]) + Self.algorithm + Self.name(name) + Self.time(thisUpdate)
    if let nextUpdate { fields += Self.time(nextUpdate) }
    if !serials.isEmpty {
      fields += element(0x30, serials.flatMap { element(0x30, element(0x02, [$0]) + Self.time(thisUpdate)) })
    }
    let all = [Extension(OID.crlNumber, [0x02, 0x01, 0x01])] + extensions
    fields += element(0xA0, element(0x30, all.flatMap(\.der)))
    return try signed(fields)
  }
}

/// A root, an authority below it and a certificate of that.
struct TestHierarchy {
  let root: Authority, middle: Authority
  let leafKey: SigningKey
  let rootDER: [UInt8], middleDER: [UInt8], leafDER: [UInt8]

  /// 2026-01-01T00:00:00Z.
  static let time = UnixTime(1_767_225_600)

  init(
    middle middleExtensions: [Authority.Extension] = [.authority()],
    leaf extensions: [Authority.Extension] = [.endEntity]
  ) throws {
    root = try Authority("Root")
    middle = try Authority("Middle")
    leafKey = try SigningKey.generate(.es256)
    rootDER = try root.root()
    middleDER = try root.certificate(for: middle, middleExtensions)
    leafDER = try middle.certificate(for: "Leaf", leafKey, extensions)
  }

  func anchors() throws -> TrustAnchors { try TrustAnchors(certificates: [rootDER]) }
}

/// What became of a path: nil if it is valid.
func refusal(
  _ certificates: [[UInt8]], to anchors: TrustAnchors, at time: UnixTime = TestHierarchy.time,
  _ policy: CertificatePathPolicy = CertificatePathPolicy()
) -> CertificatePathError? {
  do throws(CertificatePathError) {
    _ = try CertificatePath(certificates: certificates).validated(to: anchors, at: time, policy)
    return nil
  } catch { return error }
}

extension CertificatePathError {
  /// The parts, for comparing.
  var parts: String { "\(code) \(depth.map(String.init) ?? "-")" }
}
