/// Keys in PEM armour (RFC 7468).
public enum PEM {
  /// What an armour's boundaries say is inside.
  public enum Label: Hashable, Sendable, CaseIterable {
    /// SubjectPublicKeyInfo (RFC 7468, 13).
    case publicKey
    /// PKCS #8 (RFC 7468, 10).
    case privateKey
    /// Encrypted PKCS #8 (RFC 7468, 11).
    case encryptedPrivateKey
    /// SEC 1 (RFC 5915, 4).
    case ecPrivateKey
    /// PKCS #1, private.
    case rsaPrivateKey
    /// PKCS #1, public.
    case rsaPublicKey

    /// The label itself.
    var text: StaticString {
      switch self {
      case .publicKey: "PUBLIC KEY"
      case .privateKey: "PRIVATE KEY"
      case .encryptedPrivateKey: "ENCRYPTED PRIVATE KEY"
      case .ecPrivateKey: "EC PRIVATE KEY"
      case .rsaPrivateKey: "RSA PRIVATE KEY"
      case .rsaPublicKey: "RSA PUBLIC KEY"
      }
    }
  }

  /// Puts armour around a public key: lines of 64 characters, each ended by LF.
  public static func encode(_ label: Label, _ der: Span<UInt8>) -> [UInt8] {
    encodeSecret(label, der).withSpan { Array(copying: $0) }
  }

  /// Puts armour around a private key: lines of 64 characters, each ended by LF.
  public static func encodeSecret(_ label: Label, _ der: Span<UInt8>) -> SecretBytes {
    var text = SecretBuffer()
    text.append("-----BEGIN ")
    text.append(label.text)
    text.append("-----\n")
    let base64 = Base64.encodeSecret(der)
    base64.withSpan { base64 in
      for start in stride(from: 0, to: base64.count, by: 64) {
        text.append(base64.extracting(start..<min(start + 64, base64.count)))
        text.append("\n")
      }
    }
    text.append("-----END ")
    text.append(label.text)
    text.append("-----\n")
    return text.secret()
  }
}

extension PEM {
  /// The one key in a text that `PEMText` went over.
  ///
  /// A curve's parameters beside it, as `openssl ecparam` writes them, are passed over. There may be more than one armour if
  /// all hold the same key: a private key, also an encrypted one, with its public key or certificate is read as the private
  /// key. Labels are not believed, the contents decide, but for those of things that are no key.
  ///
  /// - Throws: `KeyError`: `notAKey` or `unsupported` for armour around something else, `malformed`.
  static func read(_ text: Span<UInt8>) throws(KeyError) -> KeyReading {
    let blocks = try PEMBlock.all(in: text)
    let keys = blocks.filter { !text.extracting($0.label).isEqual(to: "EC PARAMETERS") }
    guard !keys.isEmpty else { throw KeyError(.notAKey(what: "only a curve's parameters")) }
    for block in keys { try refuse(text.extracting(block.label)) }
    var encrypted: EncryptedKey?
    var privateKey: KeyFile?
    var publicKey: KeyFile?
    var stated: PublicKeyContents?
    for block in keys {
      switch try read(text.extracting(block.body), at: block.body.lowerBound) {
      case .encrypted(let key):
        guard encrypted == nil else { throw Self.several }
        encrypted = key
      case .key(let key):
        if key.isPrivate {
          privateKey = try Self.one(privateKey.take(), key)
        } else {
          stated = key.statedPublicKey
          publicKey = try Self.one(publicKey.take(), key)
        }
      }
    }
    if let privateKey = privateKey.take() {
      guard encrypted == nil else { throw Self.several }
      return .key(try privateKey.joined(with: stated))
    }
    if var encrypted {
      encrypted.beside = stated
      return .encrypted(encrypted)
    }
    guard let publicKey = publicKey.take() else { throw Self.several }
    return .key(publicKey)
  }

  /// One of two readings of the same key.
  private static func one(_ earlier: consuming KeyFile?, _ later: consuming KeyFile) throws(KeyError) -> KeyFile {
    guard let earlier else { return later }
    guard let one = earlier.statedPublicKey, let other = later.statedPublicKey, one.agrees(with: other) else {
      throw several
    }
    return earlier
  }

  private static let several = KeyError(
    .unsupported(what: "a file with more than one key or certificate, unless they are the same key,"))

  /// Reads what stands between two boundaries. Offsets in errors count from `base`.
  private static func read(_ body: Span<UInt8>, at base: Int) throws(KeyError) -> KeyReading {
    let headers = try PEMHeaders(body)
    let text = body.extracting(headers.end..<body.count)
    guard text.indices.contains(where: { text[$0] > 0x20 }) else {
      throw KeyError(.malformed(CodecError(.missing, "PEM body (lines of base64)", at: base)))
    }
    let contents: SecretBytes
    do throws(CodecError) {
      contents = try Base64.decodeSecret(
        text, .separators, field: "PEM body (lines of base64)", base: base + headers.end)
    } catch {
      throw KeyError(.malformed(error))
    }
    return try contents.withSpan { contents throws(KeyError) in
      guard let encryption = headers.encryption else { return try KeyReading(der: contents, isPEM: true) }
      return .encrypted(EncryptedKey(encryption, ciphertext: Array(copying: contents)))
    }
  }

  /// Refuses what a label says is no key, or a key in an encoding that is not DER.
  private static func refuse(_ label: Span<UInt8>) throws(KeyError) {
    for (text, reason) in refusals where label.isEqual(to: text) { throw KeyError(reason) }
  }

  private static let refusals: [(StaticString, KeyError.Reason)] = [
    ("TRUSTED CERTIFICATE", .unsupported(what: "a certificate with OpenSSL's trust settings (TRUSTED CERTIFICATE)")),
    ("CERTIFICATE REQUEST", .notAKey(what: "a certificate request (CSR)")),
    ("NEW CERTIFICATE REQUEST", .notAKey(what: "a certificate request (CSR)")),
    ("X509 CRL", .notAKey(what: "a certificate revocation list (CRL)")),
    ("PKCS7", .notAKey(what: "a PKCS#7 file")),
    ("PKCS12", .notAKey(what: "a PKCS#12 file")),
    ("DSA PARAMETERS", .notAKey(what: "only DSA parameters")),
    ("DH PARAMETERS", .notAKey(what: "only DH parameters")),
    ("X9.42 DH PARAMETERS", .notAKey(what: "only DH parameters")),
    ("DSA PRIVATE KEY", .unsupported(what: "a DSA key")),
    (
      "OPENSSH PRIVATE KEY",
      .unsupported(what: "an OpenSSH private key (ssh-keygen -p -m PKCS8 -f FILE rewrites it; keep a copy)")
    ),
    ("PGP PUBLIC KEY BLOCK", .unsupported(what: "an OpenPGP key")),
    ("PGP PRIVATE KEY BLOCK", .unsupported(what: "an OpenPGP key")),
  ]
}
