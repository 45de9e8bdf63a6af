internal import AssayCodec

// TPMS_ATTEST (TPM 2.0 Part 2, 10.12.12), as TPM2_Certify makes it, big-endian:
//
//   magic UINT32, type UINT16, qualifiedSigner TPM2B, extraData TPM2B, clockInfo (17 bytes), firmwareVersion UINT64,
//   attested: name TPM2B, qualifiedName TPM2B

/// What a TPM says of a key that it holds. The signer's name, the clock and the firmware are not looked at: the
/// specification ignores them, and TPMs obfuscate them.
struct TPMCertification {
  /// What the TPM was given to sign along.
  let extraData: [UInt8]
  /// The Name of the key.
  let name: [UInt8]

  private static let generatedValue: UInt64 = 0xFF54_4347
  private static let attestCertify: UInt16 = 0x8017

  /// Reads a TPMS_ATTEST, all of it.
  init(_ bytes: Span<UInt8>) throws(CodecError) {
    self = try ByteReader.readAllTPM(bytes, "certInfo") { (reader) throws(CodecError) in
      try TPMCertification(reader: &reader)
    }
  }

  private init(reader: inout ByteReader) throws(CodecError) {
    guard try reader.unsigned(bytes: 4, "certInfo.magic") == Self.generatedValue else {
      throw CodecError(.invalidValue, "certInfo.magic", at: 0)
    }
    let start = reader.offset
    guard try reader.uint16("certInfo.type") == Self.attestCertify else {
      throw CodecError(.invalidValue, "certInfo.type", at: start)
    }
    _ = try reader.sized("certInfo.qualifiedSigner")
    extraData = Array(copying: try reader.sized("certInfo.extraData"))
    // Clock, resetCount, restartCount and safe, which is any byte.
    _ = try reader.take(17, "certInfo.clockInfo")
    _ = try reader.take(8, "certInfo.firmwareVersion")
    name = Array(copying: try reader.sized("certInfo.attested.name"))
    _ = try reader.sized("certInfo.attested.qualifiedName")
  }
}
