import AssayCodec
import AssayCrypto
import TestAuthenticator

/// A name and a P-256 key that issue certificates and revocation lists (RFC 5280), for BLOBs of the tests' own.
struct MetadataAuthority {
  let name: [UInt8]
  let key: SigningKey

  init(_ name: String) throws {
    self.name = element(
      .sequence,
      element(
        .set,
        element(
          .sequence,
          element(.objectIdentifier, TestCertificate.OID.commonName) + element(.utf8String, Array(name.utf8)))))
    key = try SigningKey.generate(.es256)
  }

  private static let algorithm = element(
    .sequence, element(.objectIdentifier, TestCertificate.OID.ecdsaWithSHA256))
  private static let utcTime: UInt8 = 0x17

  private static func time(_ text: String) -> [UInt8] { [utcTime, UInt8(text.utf8.count)] + Array(text.utf8) }

  private func signed(_ fields: [UInt8]) throws -> [UInt8] {
    let signed = element(.sequence, fields)
    let signature = try key.sign(signed.span, ecdsa: .der)
    return element(.sequence, signed + Self.algorithm + element(.bitString, [0] + signature))
  }

  /// A certificate for another, which may issue certificates if `isCA`; `names` are what its subjectAltName holds.
  func certificate(
    for subject: MetadataAuthority, serial: UInt8, isCA: Bool, until notAfter: String = "400101000000Z",
    names: [(tag: UInt8, value: String)] = []
  ) throws -> [UInt8] {
    let constraints = element(.sequence, isCA ? element(.boolean, [0xFF]) : [])
    let `extension` = element(
      .sequence,
      element(.objectIdentifier, TestCertificate.OID.basicConstraints) + element(.boolean, [0xFF])
        + element(.octetString, constraints))
    let subjectAltName: [UInt8] = [0x55, 0x1D, 0x11]
    let others =
      names.isEmpty
      ? []
      : element(
        .sequence,
        element(.objectIdentifier, subjectAltName)
          + element(
            .octetString,
            element(
              .sequence,
              names.flatMap { [$0.tag, UInt8(truncatingIfNeeded: $0.value.utf8.count)] + Array($0.value.utf8) })))
    var fields = element(.context0, element(.integer, [2])) + element(.integer, [serial]) + Self.algorithm + name
    fields += element(.sequence, Self.time("200101000000Z") + Self.time(notAfter)) + subject.name
    fields += subject.key.verificationKey.numbers.spki()
    fields += element(.context3, element(.sequence, `extension` + others))
    return try signed(fields)
  }

  /// A revocation list that names these serial numbers.
  func list(revoking serials: [UInt8] = [], until nextUpdate: String = "400101000000Z") throws -> [UInt8] {
    let revoked = serials.flatMap { element(.sequence, element(.integer, [$0]) + Self.time("200201000000Z")) }
    var fields = element(.integer, [1]) + Self.algorithm + name
    fields += Self.time("200101000000Z") + Self.time(nextUpdate)
    if !revoked.isEmpty { fields += element(.sequence, revoked) }
    return try signed(fields)
  }
}
