/// One key as people have it in a file: PEM or DER (SubjectPublicKeyInfo, PKCS #8, SEC 1, PKCS #1), a JWK, or a COSE_Key.
///
/// The content decides what is read, not a file's name nor a PEM label. Private numbers are wiped with this value.
public struct KeyFile: ~Copyable, Sendable {
  /// The kinds of encoding.
  @nonexhaustive
  public enum Format: Hashable, Sendable {
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

    /// The format's name, for people.
    public var name: String {
      switch self {
      case .spki: "SubjectPublicKeyInfo"
      case .pkcs8: "PKCS #8"
      case .sec1: "SEC 1"
      case .pkcs1: "PKCS #1"
      case .jwk: "JWK"
      case .cose: "COSE_Key"
      }
    }
  }

  /// The key.
  public enum Contents: ~Copyable, Sendable {
    /// A public key.
    case publicKey(PublicKeyNumbers)
    /// A private key with its public half.
    case privateKey(PrivateKeyNumbers)
    /// A private key whose file leaves out the public half.
    case privateScalar(PrivateScalar)
  }

  /// The key.
  public let contents: Contents
  /// How it was encoded.
  public let format: Format
  /// Whether the encoding was in PEM armour.
  public let isPEM: Bool
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

  /// Reads a file that holds one key.
  ///
  /// - Throws: `KeyError`, whose description says what the bytes are where that can be told.
  public static func read(_ bytes: Span<UInt8>) throws(KeyError) -> KeyFile {
    guard bytes.count <= maximumBytes else {
      throw KeyError(.malformed(CodecError(.tooLarge, "key file", at: maximumBytes)))
    }
    if PEM.isPresent(in: bytes) {
      let der = try PEM.decode(bytes)
      return try der.withSpan { der throws(KeyError) in try KeyFile(der: der, isPEM: true) }
    }
    guard let start = bytes.firstNonSpace else { throw KeyError(.notAKey(what: "an empty file")) }
    switch bytes[start] {
    case 0x30: return try KeyFile(der: bytes, isPEM: false)
    case 0xA0...0xBF: return KeyFile(try COSEKey(bytes))
    case UInt8(ascii: "{"): return try KeyFile(jwk: bytes)
    default: throw KeyError(.notAKey(what: Self.looks(bytes)))
    }
  }

  private init(der: Span<UInt8>, isPEM: Bool) throws(KeyError) {
    let format = try DERKeyKind(of: der)
    switch format {
    case .spki: self.init(.publicKey(try PublicKeyNumbers(spki: der)), .spki, isPEM)
    case .pkcs1Public: self.init(.publicKey(try PublicKeyNumbers(pkcs1: der)), .pkcs1, isPEM)
    case .pkcs1Private: self.init(Contents(try PrivateKeyContents(pkcs1: der)), .pkcs1, isPEM)
    case .pkcs8: self.init(Contents(try PrivateKeyContents(pkcs8: der)), .pkcs8, isPEM)
    case .sec1: self.init(Contents(try PrivateKeyContents(sec1: der)), .sec1, isPEM)
    }
  }

  private init(jwk bytes: Span<UInt8>) throws(KeyError) {
    let value = try JWKMembers.value(bytes)
    guard try JWKMembers(value).isPrivate else {
      let jwk = try JWK(value)
      self.init(.publicKey(jwk.numbers), .jwk, false, jwk)
      return
    }
    let jwk = try PrivateJWK(value)
    let publicJWK = jwk.publicJWK
    self.init(.privateKey(jwk.numbersAlone()), .jwk, false, publicJWK)
  }

  private init(_ key: COSEKey) { self.init(.publicKey(key.numbers), .cose, false, coseAlg: key.alg) }

  private init(
    _ contents: consuming Contents, _ format: Format, _ isPEM: Bool, _ jwk: JWK? = nil, coseAlg: Int64? = nil
  ) {
    self.contents = contents
    self.format = format
    self.isPEM = isPEM
    kid = jwk?.kid
    alg = jwk?.alg
    use = jwk?.use
    keyOps = jwk?.keyOps
    self.coseAlg = coseAlg
  }

  /// What bytes of no known format look like.
  private static func looks(_ bytes: Span<UInt8>) -> Field {
    if bytes.hasPrefix("ssh-") || bytes.hasPrefix("ecdsa-sha2-") {
      return "an OpenSSH public key line (ssh-keygen -e -m PKCS8 -f FILE converts it)"
    }
    if bytes.hasPrefix("eyJ") { return "a token (JWT)" }
    return "none of PEM (it begins with -----BEGIN), DER, JWK and COSE_Key"
  }
}

extension KeyFile.Contents {
  fileprivate init(_ contents: consuming PrivateKeyContents) {
    switch consume contents {
    case .complete(let numbers): self = .privateKey(numbers)
    case .scalar(let scalar): self = .privateScalar(scalar)
    }
  }
}

extension KeyFile {
  /// What kind of key this is, for messages: `RSA (2048 bits)`, `P-256`.
  public var kind: String {
    switch contents {
    case .publicKey(let numbers): numbers.kind
    case .privateKey(let numbers): numbers.publicKey.kind
    case .privateScalar(let scalar): scalar.curve.jwkName
    }
  }

  /// The key alone, by giving up the rest.
  public consuming func takeContents() -> Contents { contents }

  /// Whether this is a private key.
  public var isPrivate: Bool {
    switch contents {
    case .publicKey: false
    case .privateKey: true
    case .privateScalar: true
    }
  }
}

extension Span<UInt8> {
  fileprivate var firstNonSpace: Int? { indices.first { ![0x09, 0x0A, 0x0D, 0x20].contains(self[$0]) } }
}
