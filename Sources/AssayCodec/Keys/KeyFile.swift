/// One key as people have it in a file: PEM or DER (SubjectPublicKeyInfo, PKCS #8, SEC 1, PKCS #1, a certificate), a JWK,
/// or a COSE_Key.
///
/// The content decides what is read, not a file's name nor a PEM label. Of a certificate only the public key is read; nothing
/// is proved about who signed it or how long it is valid. Whether the numbers make a usable key is not checked: a
/// `VerificationKey` or `SigningKey` of AssayCrypto is made for that. Private numbers are wiped with this value.
public struct KeyFile: ~Copyable, Sendable {
  /// The kinds of encoding.
  @nonexhaustive
  public enum Format: Hashable, Sendable, CaseIterable {
    /// SubjectPublicKeyInfo (RFC 5280).
    case spki
    /// PKCS #8 (RFC 5958).
    case pkcs8
    /// SEC 1 (RFC 5915).
    case sec1
    /// PKCS #1 (RFC 8017).
    case pkcs1
    /// JSON Web Key (RFC 7517).
    case jwk
    /// COSE_Key (RFC 9052).
    case cose
    /// X.509 certificate (RFC 5280).
    case certificate

    /// The format's name, for people.
    public var name: String {
      switch self {
      case .spki: "SubjectPublicKeyInfo"
      case .pkcs8: "PKCS #8"
      case .sec1: "SEC 1"
      case .pkcs1: "PKCS #1"
      case .jwk: "JWK"
      case .cose: "COSE_Key"
      case .certificate: "X.509 certificate"
      }
    }
  }

  /// The key.
  public enum Contents: ~Copyable, Sendable {
    /// A public key.
    case publicKey(PublicKeyNumbers)
    /// A public key given as a compressed point.
    case compressedKey(CompressedPoint)
    /// A private key with its public half.
    case privateKey(PrivateKeyNumbers)
    /// A private key whose file leaves out the public half.
    case privateScalar(PrivateScalar)
    /// A symmetric key, of a JWK.
    case symmetricKey(SecretBytes)
  }

  /// The key.
  public let contents: Contents
  /// How it was encoded.
  public let format: Format
  /// Whether the encoding was in PEM armour.
  public let isPEM: Bool
  /// Whether a password protected the file.
  public let wasEncrypted: Bool
  /// Key ID, of a JWK.
  public let kid: UTF8Text?
  /// The name of the one algorithm the key is for, of a JWK.
  public let alg: UTF8Text?
  /// Public key use, of a JWK.
  public let use: UTF8Text?
  /// Key operations, of a JWK.
  public let keyOps: [UTF8Text]?
  /// The number of the one algorithm the key is for, of a COSE_Key.
  public let coseAlg: Int64?

  /// The most bytes of a file that are read.
  public static let maximumBytes = 1 << 16

  /// Reads a file that holds one key, not encrypted.
  ///
  /// - Throws: `KeyError`, whose description says what the bytes are where that can be told; `encrypted` if a password is
  ///   needed, with which AssayCrypto reads them.
  public static func read(_ bytes: Span<UInt8>) throws(KeyError) -> KeyFile {
    switch try KeyReading(bytes) {
    case .key(let file): return file
    case .encrypted: throw KeyError(.encrypted)
    }
  }

  init(jwk bytes: Span<UInt8>) throws(KeyError) {
    let value = try JWKMembers.value(bytes)
    let members = try JWKMembers(value)
    if members.isSymmetric {
      let jwk = try SymmetricJWK(value)
      let (kid, alg, use, keyOps) = (jwk.kid, jwk.alg, jwk.use, jwk.keyOps)
      self.init(.symmetricKey(jwk.secretAlone()), .jwk, kid: kid, alg: alg, use: use, keyOps: keyOps)
    } else if members.isPrivate {
      let jwk = try PrivateJWK(value)
      let about = jwk.publicJWK
      self.init(
        .privateKey(jwk.numbersAlone()), .jwk, kid: about.kid, alg: about.alg, use: about.use, keyOps: about.keyOps)
    } else {
      let jwk = try JWK(value)
      self.init(.publicKey(jwk.numbers), .jwk, kid: jwk.kid, alg: jwk.alg, use: jwk.use, keyOps: jwk.keyOps)
    }
  }

  init(
    _ contents: consuming Contents, _ format: Format, isPEM: Bool = false, wasEncrypted: Bool = false,
    kid: UTF8Text? = nil, alg: UTF8Text? = nil, use: UTF8Text? = nil, keyOps: [UTF8Text]? = nil, coseAlg: Int64? = nil
  ) {
    self.contents = contents
    self.format = format
    self.isPEM = isPEM
    self.wasEncrypted = wasEncrypted
    self.kid = kid
    self.alg = alg
    self.use = use
    self.keyOps = keyOps
    self.coseAlg = coseAlg
  }
}

extension KeyFile {
  /// What kind of key this is, for messages: `RSA (2048 bits)`, `P-256`.
  public var kind: String {
    switch contents {
    case .publicKey(let numbers): numbers.kind
    case .compressedKey(let point): point.curve.jwkName
    case .privateKey(let numbers): numbers.publicKey.kind
    case .privateScalar(let scalar): scalar.curve.jwkName
    case .symmetricKey(let secret): "symmetric (\(secret.count) bytes)"
    }
  }

  /// The key alone, by giving up the rest.
  public consuming func takeContents() -> Contents { contents }

  /// Whether this must be kept secret: a private or a symmetric key.
  public var isPrivate: Bool {
    switch contents {
    case .publicKey: false
    case .compressedKey: false
    case .privateKey: true
    case .privateScalar: true
    case .symmetricKey: true
    }
  }

  /// What the file itself says of the public key; nil if it leaves that out.
  var statedPublicKey: PublicKeyContents? {
    switch contents {
    case .publicKey(let numbers): .complete(numbers)
    case .compressedKey(let point): .compressed(point)
    case .privateKey(let numbers): .complete(numbers.publicKey)
    case .privateScalar(let scalar): scalar.compressedPoint.map { .compressed($0) } ?? scalar.beside
    case .symmetricKey: nil
    }
  }

  /// The private key with the public key or certificate that stands beside it in its file, and must be of the same key.
  ///
  /// Where the private key leaves its public half out, that is found when AssayCrypto computes it.
  consuming func joined(with beside: PublicKeyContents?) throws(KeyError) -> KeyFile {
    guard let beside else { return self }
    if let stated = statedPublicKey {
      guard beside.agrees(with: stated) else { throw KeyError(.anotherKeyBeside) }
    }
    let (format, isPEM, wasEncrypted) = (format, isPEM, wasEncrypted)
    let joined: Contents
    switch takeContents() {
    case .privateScalar(let scalar):
      joined = .privateScalar(
        PrivateScalar(
          curve: scalar.curve, scalar: scalar.scalar.clone(), compressedPoint: scalar.compressedPoint, beside: beside))
    case let other: joined = other
    }
    return KeyFile(joined, format, isPEM: isPEM, wasEncrypted: wasEncrypted)
  }
}
