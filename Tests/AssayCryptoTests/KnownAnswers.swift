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

  static let all = [rfc6979, rfc6979P384, rfc6979P521, secp256k1, rfc7515, rfc8032, rfc8032Ed448]

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

  /// RFC 6979, A.2.6: P-384 with SHA-384, message "sample".
  static let rfc6979P384 = KnownSignature(
    algorithm: .es384,
    numbers: .ec(
      .p384,
      x: [UInt8](
        hex: "ec3a4e415b4e19a4568618029f427fa5da9a8bc4ae92e02e06aae5286b300c64def8f0ea9055866064a254515480bc13"),
      y: [UInt8](
        hex: "8015d9b72d7d57244ea8ef9ac0c621896708a59367f9dfb9f54ca84b3f1c9db1288b231c3ae0d4fe7344fd2533264720")),
    message: Array("sample".utf8),
    signature: [UInt8](
      hex: "94edbb92a5ecb8aad4736e56c691916b3f88140666ce9fa73d64c4ea95ad133c81a648152e44acf96e36dd1e80fabe46"
        + "99ef4aeb15f178cea1fe40db2603138f130e740a19624526203b6351d0a3a94fa329c145786e679e7b82c71a38628ac8"))

  /// RFC 6979, A.2.7: P-521 with SHA-512, message "sample".
  static let rfc6979P521 = KnownSignature(
    algorithm: .es512,
    numbers: .ec(
      .p521,
      x: [UInt8](
        hex: "01894550d0785932e00eaa23b694f213f8c3121f86dc97a04e5a7167db4e5bcd371123d46e45db6b5d5370a7f20fb633"
          + "155d38ffa16d2bd761dcac474b9a2f5023a4"),
      y: [UInt8](
        hex: "00493101c962cd4d2fddf782285e64584139c2f91b47f87ff82354d6630f746a28a0db25741b5b34a828008b22acc23f"
          + "924faafbd4d33f81ea66956dfeaa2bfdfcf5")),
    message: Array("sample".utf8),
    signature: [UInt8](
      hex: "00c328fafcbd79dd77850370c46325d987cb525569fb63c5d3bc53950e6d4c5f174e25a1ee9017b5d450606add152b53"
        + "4931d7d4e8455cc91f9b15bf05ec36e377fa00617cce7cf5064806c467f678d3b4080d6f1cc50af26ca209417308281b"
        + "68af282623eaa63e5b5c0723d8b8c37ff0777b1a20f8ccb1dccc43997f1ee0e44da4a67a"))

  /// The example of RFC 6979's way to sign that implementations share for secp256k1: private key 1, the smaller s.
  static let secp256k1 = KnownSignature(
    algorithm: .es256k,
    numbers: .ec(
      .secp256k1, x: [UInt8](hex: "79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798"),
      y: [UInt8](hex: "483ada7726a3c4655da4fbfc0e1108a8fd17b448a68554199c47d08ffb10d4b8")),
    message: Array("Satoshi Nakamoto".utf8),
    signature: [UInt8](
      hex: "934b1ea10a4b3c1757e2b0c017d0b6143ce3c9a7e6a4a49860d7a6ab210ee3d8"
        + "2442ce9d2b916064108014783e923ec36b49743e2ffa1c4496f01a512aafd9e5"))

  /// RFC 8032, 7.4: 1 octet.
  static let rfc8032Ed448 = KnownSignature(
    algorithm: .ed448,
    numbers: .edwards(
      .ed448,
      x: [UInt8](
        hex: "43ba28f430cdff456ae531545f7ecd0ac834a55d9358c0372bfa0c6c6798c0866aea01eb00742802b8438ea4cb82169c"
          + "235160627b4c3a9480")),
    message: [0x03],
    signature: [UInt8](
      hex: "26b8f91727bd62897af15e41eb43c377efb9c610d48f2335cb0bd0087810f4352541b143c4b981b7e18f62de8ccdf633"
        + "fc1bf037ab7cd779805e0dbcc0aae1cbcee1afb2e027df36bc04dcecbf154336c19f0af7e0a6472905e799f1953d2a0f"
        + "f3348ab21aa4adafd1d234441cf807c03a00"))
}
