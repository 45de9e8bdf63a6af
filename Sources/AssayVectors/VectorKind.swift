internal import AssayCodec

/// One kind of case in our schema.
struct VectorKind: Sendable {
  let name: UTF8Text
  /// Whether the file has a table of keys.
  var usesKeys = false
  /// Reads the members of a case and judges it.
  let judge: @Sendable (inout MemberReader, KeyTable) throws(VectorFileError) -> CaseOutcome

  static let all: [VectorKind] =
    [
      .base64url, .base64, .base32, .base32hex, .base16, .cbor, .coseKey, .keyFile, .jwk, .jwkSet, .thumbprint,
      .signature, .primitive, .mac, .jws, .jwsJSON, .jwt, .json, .outside,
      .hotp, .totp, .totpVerify, .hotpVerify, .hotpResync, .otpauth, .otpSecret, .steam, .migration, .ocra,
    ] + profiles
}
