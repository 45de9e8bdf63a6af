/// ML-DSA (FIPS 204; for JOSE and COSE the draft that becomes RFC 9964), recognised to say why its keys are refused.
package enum MLDSA {
  /// The values of `alg` in JOSE.
  package static let joseNames: [UTF8Text] = ["ML-DSA-44", "ML-DSA-65", "ML-DSA-87"]
  /// The values of `alg` in COSE: ML-DSA-44 is −48.
  package static let coseIdentifiers: ClosedRange<Int64> = -50 ... -48
  /// The contents of the OBJECT IDENTIFIERs of its keys, 2.16.840.1.101.3.4.3.17 to 19.
  static let objectIdentifiers: [[UInt8]] = [0x11, 0x12, 0x13].map {
    [0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x03, $0]
  }
}
