internal import AssayCodec
internal import AssayCrypto

/// The public key of a group, which is written in several formats: all must say the same.
struct WycheproofKey {
  private let read: Result<PublicKeyNumbers, KeyError>

  /// The key, or why it is refused.
  func numbers() throws(KeyError) -> PublicKeyNumbers { try read.get() }

  init(
    _ group: inout MemberReader, spki: UTF8Text = "publicKeyDer", pem: UTF8Text = "publicKeyPem",
    pkcs1: UTF8Text? = nil, jwk: UTF8Text
  ) throws(VectorFileError) {
    let der = try group.hex(spki)
    var others = [(pem, try group.text(pem).utf8)]
    if let pkcs1 { others.append((pkcs1, try group.hex(pkcs1))) }
    if let value = group.optional(jwk) { others.append((jwk, value.encoded())) }
    do throws(KeyError) { read = .success(try PublicKeyNumbers(spki: der.span)) } catch { read = .failure(error) }
    guard case .success(let numbers) = read else { return }
    for (name, bytes) in others where (try? Self.numbers(bytes)) != numbers {
      throw group.fault("\(name.string) is not read as the key that \(spki.string) is")
    }
  }

  private static func numbers(_ file: [UInt8]) throws(KeyError) -> PublicKeyNumbers {
    let file = try KeyFile.read(file.span)
    switch file.contents {
    case .publicKey(let numbers): return numbers
    default: throw KeyError(.refused)
    }
  }

  /// A curve of this engine by Wycheproof's name.
  static func curve(_ name: UTF8Text) -> EllipticCurve? {
    switch name {
    case "secp256r1": .p256
    case "secp384r1": .p384
    case "secp521r1": .p521
    case "secp256k1": .secp256k1
    case "edwards25519": .ed25519
    case "edwards448": .ed448
    default: nil
    }
  }
}
