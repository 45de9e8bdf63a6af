package import AssayCodec
package import AssayCrypto
import TestCertificates

/// Makes `android-safetynet` statements (WebAuthn L3, 8.5); a test changes one part.
package struct SafetyNetStatement: Sendable {
  package var version: CBORValue = .text("14366018")
  package var algorithm = SignatureAlgorithm.rs256
  package var alg: UTF8Text?
  /// Set in the response after the nonce, which is that of the ceremony.
  package var payload: JSONObject = [
    "timestampMs": 1_789_999_999_500, "apkPackageName": "com.google.android.gms", "ctsProfileMatch": true,
    "basicIntegrity": true,
  ]
  /// Instead of the payload.
  package var payloadBytes: [UInt8]?
  /// Names in subjectAltName: tag and value.
  package var names: [(tag: UInt8, value: String)] = [(0x82, "attest.android.com")]
  /// Instead of these names.
  package var subjectAltName: [UInt8]?
  package var chain: [[UInt8]] = []
  package var editHeader: @Sendable (inout JSONObject) -> Void = { _ in }
  package var spoil: @Sendable (inout [UInt8]) -> Void = { _ in }

  package init() {}

  package static let hostName = [(tag: UInt8(0x82), value: "attest.android.com")]

  package func certificate() throws -> [UInt8] {
    var certificate = TestCertificate()
    certificate.algorithm = algorithm
    certificate.subject = [(TestCertificate.OID.commonName, .utf8String, Array("attest.android.com".utf8))]
    let names = names.flatMap { [$0.tag, UInt8(truncatingIfNeeded: $0.value.utf8.count)] + Array($0.value.utf8) }
    let value = subjectAltName ?? element(.sequence, names)
    certificate.extensions = value.isEmpty ? [] : [([0x55, 0x1D, 0x11], nil, value)]
    return try certificate.der()
  }

  package func made(_ authData: [UInt8], _ hash: [UInt8]) throws -> CBORValue {
    var payload: JSONObject = ["nonce": .string(Base64.encode(TestAuthenticator.hash(authData + hash).span))]
    for member in self.payload.members { payload[member.name] = member.value }
    var header: JSONObject = ["alg": .string(alg ?? algorithm.joseName)]
    header["x5c"] = .array(([try certificate()] + chain).map { .string(Base64.encode($0.span)) })
    editHeader(&header)
    let headerBytes = JSONValue.object(header).encoded()
    let bytes = payloadBytes ?? JSONValue.object(payload).encoded()
    var response = Base64URL.encode(headerBytes.span).utf8 + [UInt8(ascii: ".")] + Base64URL.encode(bytes.span).utf8
    let signature = try TestCertificate.key(algorithm).sign(response.span, ecdsa: .fixedWidth)
    response += [UInt8(ascii: ".")] + Base64URL.encode(signature.span).utf8
    spoil(&response)
    return .map([CBORMapEntry("ver", version), CBORMapEntry("response", .bytes(response))])
  }
}
