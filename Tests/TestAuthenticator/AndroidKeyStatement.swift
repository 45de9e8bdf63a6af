package import AssayCodec
package import AssayCrypto
import TestCertificates

/// What Android's key store writes of a key; a test changes one part.
package struct KeyDescriptionParts: Sendable {
  package var attestationVersion: [UInt8] = [0x02, 0x02, 0x01, 0x2C]
  package var attestationSecurityLevel: [UInt8] = [0x0A, 0x01, 0x01]
  package var keymasterVersion: [UInt8] = [0x02, 0x02, 0x01, 0x2C]
  package var keymasterSecurityLevel: [UInt8] = [0x0A, 0x01, 0x01]
  /// The hash of the client data if nil.
  package var challenge: [UInt8]?
  package var software: [[UInt8]] = [
    // creationDateTime, attestationApplicationId, and one that nobody knows.
    Self.tagged(701, [0x02, 0x06, 0x01, 0x93, 0x66, 0x8A, 0x2B, 0x10]), Self.tagged(709, [0x04, 0x02, 0x30, 0x00]),
    Self.tagged(16_000, [0x02, 0x01, 0x01]),
  ]
  package var tee: [[UInt8]] = Self.teeEnforced
  /// Written after everything else.
  package var end: [UInt8] = []

  package init() {}

  package static let sign = tagged(1, [0x31, 0x03, 0x02, 0x01, 0x02])
  package static let generated = tagged(702, [0x02, 0x01, 0x00])
  package static let allApplications = tagged(600, [0x05, 0x00])
  package static let bootKey = [UInt8](repeating: 0x11, count: 32)
  package static let bootHash = [UInt8](repeating: 0x22, count: 32)

  package static let teeEnforced: [[UInt8]] = [
    sign, tagged(2, [0x02, 0x01, 0x03]), tagged(3, [0x02, 0x02, 0x01, 0x00]), tagged(503, [0x05, 0x00]), generated,
    rootOfTrust([
      element(.octetString, bootKey), [0x01, 0x01, 0xFF, 0x0A, 0x01, 0x00], element(.octetString, bootHash),
    ]),
    tagged(705, [0x02, 0x03, 0x02, 0x22, 0xE0]), tagged(706, [0x02, 0x03, 0x03, 0x17, 0x71]),
    tagged(718, [0x02, 0x04, 0x01, 0x35, 0x28, 0x29]), tagged(719, [0x02, 0x04, 0x01, 0x35, 0x28, 0x25]),
  ]

  /// An element with an explicit context-specific tag.
  package static func tagged(_ number: Int, _ contents: [UInt8]) -> [UInt8] {
    let whole = element(.context0, contents)
    var digits = [UInt8(truncatingIfNeeded: number & 0x7F)]
    var rest = number >> 7
    while rest > 0 {
      digits.insert(0x80 | UInt8(truncatingIfNeeded: rest & 0x7F), at: 0)
      rest >>= 7
    }
    return (number < 31 ? [0xA0 | UInt8(truncatingIfNeeded: number)] : [0xBF] + digits) + whole.dropFirst()
  }

  package static func rootOfTrust(_ parts: [[UInt8]]) -> [UInt8] {
    tagged(704, element(.sequence, parts.flatMap { $0 }))
  }

  package mutating func drop(_ element: [UInt8]) { tee.removeAll { $0 == element } }

  package func der(hash: [UInt8]) -> [UInt8] {
    var fields = attestationVersion + attestationSecurityLevel + keymasterVersion + keymasterSecurityLevel
    fields += element(.octetString, challenge ?? hash) + element(.octetString, [])
    fields += element(.sequence, software.flatMap { $0 }) + element(.sequence, tee.flatMap { $0 })
    return element(.sequence, fields + end)
  }
}

/// Makes `android-key` statements (WebAuthn L3, 8.4).
package struct AndroidKeyStatement: Sendable {
  package var algorithm = SignatureAlgorithm.es256
  package var description = KeyDescriptionParts()
  /// Instead of the description.
  package var descriptionBytes: [UInt8]?
  package var isCritical: Bool?
  package var hasDescription = true
  /// The key in the certificate and of the signature is another than the credential's.
  package var usesOtherKey = false
  package var alg: Int64?
  package var chain: [[UInt8]] = []
  package var spoilSignature: @Sendable (inout [UInt8]) -> Void = { _ in }

  package init() {}

  package static let identifier: [UInt8] = [0x2B, 0x06, 0x01, 0x04, 0x01, 0xD6, 0x79, 0x02, 0x01, 0x11]

  package func made(_ authData: [UInt8], _ hash: [UInt8]) throws -> CBORValue {
    let key = try usesOtherKey ? TestCertificate.key(algorithm) : TestAuthenticator.key(algorithm)
    var certificate = TestCertificate()
    certificate.subject = [(TestCertificate.OID.commonName, .utf8String, Array("Android Keystore Key".utf8))]
    certificate.subjectPublicKeyInfo = key.verificationKey.numbers.spki()
    certificate.extensions =
      hasDescription ? [(Self.identifier, isCritical, descriptionBytes ?? description.der(hash: hash))] : []
    let message = authData + hash
    var signature = try key.sign(message.span, ecdsa: .der)
    spoilSignature(&signature)
    return .map([
      CBORMapEntry("alg", CBORValue(alg ?? algorithm.coseIdentifier)), CBORMapEntry("sig", .bytes(signature)),
      CBORMapEntry("x5c", .array(([try certificate.der()] + chain).map { .bytes($0) })),
    ])
  }
}
