import AssayCodec
import AssayCrypto
import Testing

/// A public key, a message and its signature, from a standard.
struct KnownSignature: Sendable, CustomTestStringConvertible {
  let algorithm: SignatureAlgorithm
  let numbers: PublicKeyNumbers
  let message: [UInt8]
  let signature: [UInt8]

  var testDescription: String { "\(algorithm)" }

  func key() throws(KeyError) -> VerificationKey { try VerificationKey(numbers, for: algorithm) }

  static let all = [rfc6979, rfc7515, rfc8032]

  /// RFC 6979, A.2.5: P-256 with SHA-256, message "sample".
  static let rfc6979 = KnownSignature(
    algorithm: .es256,
    numbers: .ec(
      .p256, x: [UInt8](hex: "60fed4ba255a9d31c961eb74c6356d68c049b8923b61fa6ce669622e60f29fb6"),
      y: [UInt8](hex: "7903fe1008b8bc99a41ae9e95628bc64f2f1b20c2d7e9f5177a3c294d4462299")),
    message: Array("sample".utf8),
    signature: [UInt8](
      hex: "efd48b2aacb6a8fd1140dd9cd45e81d69d2c877b56aaf991c34d0ea84eaf3716"
        + "f7cb1c942d657c41d436c7a1b6e29f65f3e900dbb9aff4064dc4ab2f843acda8"))

  /// RFC 7515, A.2: the JWS signing input and its RS256 signature.
  static let rfc7515 = KnownSignature(
    algorithm: .rs256,
    numbers: .rsa(
      modulus: [UInt8](
        hex: "a1f8160ae2e3c9b465ce8d2d656263362b927dbe29e1f02477fc1625cc90a136e38bd93497c5b6ea63dd7711e67c7429"
          + "f956b0fb8a8f089adc4b69893cc1333f53edd019b87784252fec914fe4857769594bea4280d32c0f55bf62944f130396"
          + "bc6e9bdf6ebdd2bda3678eeca0c668f701b38dbffb38c8342ce2fe6d27fade4a5a4874979dd4b9cf9adec4c75b05852c"
          + "2c0f5ef8a5c1750392f944e8ed64c110c6b647609aa4783aeb9c6c9ad755313050638b83665c6f6f7a82a396702a1f64"
          + "1b82d3ebf2392219491fb686872c5716f50af8358d9a8b9d17c340728f7f87d89a18d8fcab67ad84590c2ecf75933936"
          + "3c07034d6f606f9e21e05456cae5e9a1"), exponent: [1, 0, 1]),
    message: Array(
      ("eyJhbGciOiJSUzI1NiJ9.eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQog"
        + "Imh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ").utf8),
    signature: [UInt8](
      hex: "702e218943e88fd11eb5d82dbf7845f34106ae1b81fff7731116add1717d83656d420afd3c96eedd73a2663e5166687b"
        + "000b87226e0187ed1073f945e582adfcef16d85a798ee8c66ddb3db8975b17d09402beedd5d9d97007108db28160d5f8"
        + "040ca7445762b81fbe7ff9d92e0ae76f24f25b33bbe6f44ae61eb1040acb20044d3ef9128ed40130795bd4bd3b41eeca"
        + "d066ab651981fde48df77f372dc38b9fafdd3befb18b5da3cc3c2eb02f9e3a41d612caad15911273a05f23b9e838faaf"
        + "849d698429ef5a1e88798236c3d40e604522a544c8f27a7a2db80663d16cf7caea56de405cb2215a45b2c25566b55ac1"
        + "a748a070dfc8a32a469543d019eefb47"))

  /// RFC 8032, 7.1: TEST 3.
  static let rfc8032 = KnownSignature(
    algorithm: .edDSA,
    numbers: .edwards(
      .ed25519, x: [UInt8](hex: "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025")),
    message: [0xAF, 0x82],
    signature: [UInt8](
      hex: "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac"
        + "18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a"))
}
