import AssayCodec
package import AssayCrypto

/// A name and a P-256 key that issue certificates and revocation lists (RFC 5280), for BLOBs of the tests' own.
package struct MetadataAuthority {
  package let name: [UInt8]
  package let key: SigningKey

  package init(_ name: String) throws {
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
  package func certificate(
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

  /// A metadata BLOB (FIDO Metadata Service, 3.1.7), signed by this one; its own certificate is the first.
  package func blob(_ payload: [UInt8], x5c: [[UInt8]]) throws -> [UInt8] {
    let certificates = x5c.map { JSONValue.string(Base64.encode($0.span)) }
    let header = JSONValue.object(["alg": "ES256", "typ": "JWT", "x5c": .array(certificates)]).encoded()
    let input = Base64URL.encode(header.span).utf8 + Array(".".utf8) + Base64URL.encode(payload.span).utf8
    let signature = try key.sign(input.span, ecdsa: .fixedWidth)
    return input + Array(".".utf8) + Base64URL.encode(signature.span).utf8
  }

  /// A revocation list that names these serial numbers.
  package func list(revoking serials: [UInt8] = [], until nextUpdate: String = "400101000000Z") throws -> [UInt8] {
    let revoked = serials.flatMap { element(.sequence, element(.integer, [$0]) + Self.time("200201000000Z")) }
    var fields = element(.integer, [1]) + Self.algorithm + name
    fields += Self.time("200101000000Z") + Self.time(nextUpdate)
    if !revoked.isEmpty { fields += element(.sequence, revoked) }
    return try signed(fields)
  }
}
