// The textual encoding of RFC 7468: `-----BEGIN label-----`, base64 lines, `-----END label-----`, with any text around.
// Lines may end in LF, CRLF or CR and have white space at their ends. Anything else between the two boundaries is refused.

/// Keys in PEM armour (RFC 7468).
public enum PEM {
  /// What an armour's boundaries say is inside.
  public enum Label: Hashable, Sendable, CaseIterable {
    /// SubjectPublicKeyInfo (RFC 7468, 13).
    case publicKey
    /// PKCS #8 (RFC 7468, 10).
    case privateKey
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

  /// The DER of the one key in a text; a curve's parameters beside it, as `openssl ecparam` writes them, are passed over.
  ///
  /// A certificate beside the key is refused: whether it belongs to the key is not judged here.
  ///
  /// - Throws: `KeyError`: `notAKey` or `unsupported` for armour around something else, `encrypted`, `malformed`.
  static func decode(_ text: Span<UInt8>) throws(KeyError) -> SecretBytes {
    let blocks = try PEMBlock.all(in: text)
    guard let key = blocks.first(where: { $0.isKey(in: text) }) else { throw Self.refusal(of: blocks, in: text) }
    guard blocks.count(where: { !text.extracting($0.label).isEqual(to: "EC PARAMETERS") }) == 1 else {
      throw KeyError(.unsupported(what: "a file with more than one key or certificate"))
    }
    let body = text.extracting(key.body)
    if body.startsLine(with: "Proc-Type:") { throw KeyError(.encrypted) }
    do throws(CodecError) {
      return try Base64.decodeSecret(body, .separators, field: "PEM body", base: key.body.lowerBound)
    } catch {
      throw KeyError(.malformed(error))
    }
  }

  /// Whether there is armour in a text.
  static func isPresent(in text: Span<UInt8>) -> Bool { text.firstLine(startingWith: PEMBlock.begin, from: 0) != nil }

  /// What to say of armour without a key.
  private static func refusal(of blocks: [PEMBlock], in text: Span<UInt8>) -> KeyError {
    for block in blocks {
      for (label, reason) in refusals where text.extracting(block.label).isEqual(to: label) { return KeyError(reason) }
    }
    return KeyError(.notAKey(what: "PEM of a kind that is not known here"))
  }

  private static let refusals: [(StaticString, KeyError.Reason)] = [
    ("ENCRYPTED PRIVATE KEY", .encrypted),
    ("CERTIFICATE", .notAKey(what: "a certificate")),
    ("X509 CERTIFICATE", .notAKey(what: "a certificate")),
    ("TRUSTED CERTIFICATE", .notAKey(what: "a certificate")),
    ("CERTIFICATE REQUEST", .notAKey(what: "a certificate request (CSR)")),
    ("NEW CERTIFICATE REQUEST", .notAKey(what: "a certificate request (CSR)")),
    ("X509 CRL", .notAKey(what: "a certificate revocation list (CRL)")),
    ("PKCS7", .notAKey(what: "a PKCS#7 file")),
    ("PKCS12", .notAKey(what: "a PKCS#12 file")),
    ("EC PARAMETERS", .notAKey(what: "only a curve's parameters")),
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

/// Where the parts of one armour lie in its text.
struct PEMBlock {
  let label: Range<Int>
  let body: Range<Int>

  static let begin: StaticString = "-----BEGIN "
  static let end: StaticString = "-----END "
  static let dashes: StaticString = "-----"

  func isKey(in text: Span<UInt8>) -> Bool {
    PEM.Label.allCases.contains { text.extracting(label).isEqual(to: $0.text) }
  }

  /// Every armour in the text, in order.
  static func all(in text: Span<UInt8>) throws(KeyError) -> [PEMBlock] {
    var blocks: [PEMBlock] = []
    var position = 0
    while let start = text.firstLine(startingWith: begin, from: position) {
      let label = try Self.label(in: text, from: start + begin.utf8CodeUnitCount)
      let bodyStart = label.upperBound + dashes.utf8CodeUnitCount
      guard let end = text.firstLine(startingWith: Self.end, from: bodyStart) else {
        throw KeyError(.malformed(CodecError(.missing, "END line of the PEM", at: text.count)))
      }
      let endLabel = try Self.label(in: text, from: end + Self.end.utf8CodeUnitCount)
      guard publicBytesEqual(text.extracting(label), text.extracting(endLabel)) else {
        throw KeyError(.malformed(CodecError(.invalidValue, "END line of the PEM", at: end)))
      }
      blocks.append(PEMBlock(label: label, body: bodyStart..<end))
      position = endLabel.upperBound + dashes.utf8CodeUnitCount
    }
    return blocks
  }

  /// The label that starts at `start` and ends before five dashes on the same line.
  private static func label(in text: Span<UInt8>, from start: Int) throws(KeyError) -> Range<Int> {
    var end = start
    while end < text.count, text[end] >= 0x20 {
      if text.extracting(end..<text.count).hasPrefix(dashes) { return start..<end }
      end += 1
    }
    throw KeyError(.malformed(CodecError(.malformed, "PEM label", at: start)))
  }
}

extension Span<UInt8> {
  func hasPrefix(_ words: StaticString) -> Bool {
    let words = Array(words.description.utf8)
    return words.count <= count && publicBytesEqual(extracting(0..<words.count), words.span)
  }

  func isEqual(to words: StaticString) -> Bool { count == words.utf8CodeUnitCount && hasPrefix(words) }

  /// Where a line starts with `words`, after spaces and tabs.
  func firstLine(startingWith words: StaticString, from start: Int) -> Int? {
    var isLineStart = true
    for index in start..<Swift.max(start, count) {
      switch self[index] {
      case 0x0A, 0x0D: isLineStart = true
      case 0x09, 0x20: break
      default:
        if isLineStart, extracting(index..<count).hasPrefix(words) { return index }
        isLineStart = false
      }
    }
    return nil
  }

  func startsLine(with words: StaticString) -> Bool { firstLine(startingWith: words, from: 0) != nil }
}
