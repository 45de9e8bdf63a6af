import AssayCodec
import Testing

/// The armour of RFC 7468 around one key.
@Suite struct PEMTests {
  static let spki = PublicKeyNumbers.edwards(.ed25519, x: [UInt8](repeating: 7, count: 32)).spki()
  static let pem = String(decoding: PEM.encode(.publicKey, spki.span), as: UTF8.self)
  static let body = "MCowBQYDK2VwAyEABwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwc="

  @Test func itIsWrittenAsRFC7468Says() {
    #expect(Self.pem == "-----BEGIN PUBLIC KEY-----\n\(Self.body)\n-----END PUBLIC KEY-----\n")
    let der = [UInt8](repeating: 0, count: 97)
    let long = PEM.encode(.rsaPublicKey, der.span)
    let lines = String(decoding: long, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.map(\.count) == [30, 64, 64, 4, 28, 0])
    let nothing: [UInt8] = []
    let empty = PEM.encode(.publicKey, nothing.span)
    #expect(String(decoding: empty, as: UTF8.self) == "-----BEGIN PUBLIC KEY-----\n-----END PUBLIC KEY-----\n")
  }

  static let tolerated: [String] = [
    pem,
    pem.replacing("\n", with: "\r\n"),
    pem.replacing("\n", with: "\r"),
    pem.replacing("\n", with: " \t\n"),
    String(pem.dropLast()),
    "Subject: someone\nIssuer: -----BEGIN me-----\n\n" + pem + "afterwards\n",
    "\n\n" + pem + "\n\n",
    pem.replacing(body, with: body.prefix(10) + "\n\n" + body.dropFirst(10)),
    pem.replacing("\n", with: "\n  "),
    "-----BEGIN EC PARAMETERS-----\nBggqhkjOPQMBBw==\n-----END EC PARAMETERS-----\n" + pem,
    pem.replacing("PUBLIC KEY", with: "PRIVATE KEY"),  // the content decides
    pem.replacing("PUBLIC KEY", with: "ENCRYPTED PRIVATE KEY"),
    pem.replacing("PUBLIC KEY", with: "CERTIFICATE"),
    pem.replacing("PUBLIC KEY", with: "public key"),
    "\u{FEFF}\u{FEFF}" + pem,
    "\"" + pem.replacing("\n", with: "\\n") + "\"",
    "KEY=" + pem.replacing("\n", with: "\\r\\n"),
    pem.replacing("\n", with: "\\\\n"),
    pem.replacing("\n", with: " "),
    pem.replacing("\n", with: ""),
    pem.replacing("\n", with: "\n\u{A0}\u{A0}"),
    pem.replacing(body, with: "\t\u{B}\u{C}" + body + "\\t"),
    "[\\\"" + pem.replacing("\n", with: "\\n") + "\\\"",  // cut out of a JSON string
    pem + pem,
    pem + pem.replacing("PUBLIC KEY", with: "CERTIFICATE"),
    pem.replacing(body, with: "Proc-Type: 4,MIC-CLEAR\n\n" + body),
    body,
    body + "\n",
  ]

  @Test(arguments: tolerated) func isRead(_ text: String) throws {
    let bytes = Array(text.utf8)
    let file = try KeyFile.read(bytes.span)
    #expect(file.isPEM == text.contains("BEGIN") && file.format == .spki && file.kind == "Ed25519")
  }

  static let otherPEM = String(
    decoding: PEM.encode(
      .publicKey, PublicKeyNumbers.edwards(.ed25519, x: [UInt8](repeating: 8, count: 32)).spki().span), as: UTF8.self)
  static let ends: Field = "END line of the PEM (-----END …-----)"
  static let bodies: Field = "PEM body (lines of base64)"
  static let several: KeyError.Reason = .unsupported(
    what: "a file with more than one key or certificate, unless they are the same key,")
  static let unknown: KeyError.Reason = .notAKey(
    what: "none of PEM (it begins with -----BEGIN), DER, JWK and COSE_Key")
  static let dekInfo = "Proc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,000102030405060708090A0B0C0D0E0F\n\n"

  static let refusals: [(String, KeyError.Reason)] = [
    (pem.replacing("-----END PUBLIC KEY-----\n", with: ""), malformed(.missing, ends, 88)),
    (pem.replacing("-----END PUBLIC KEY-----\n", with: pem), malformed(.missing, ends, 201)),
    (
      pem.replacing("END PUBLIC", with: "END PRIVATE"),
      malformed(.invalidValue, "END line of the PEM (its label is not BEGIN's)", 88)
    ),
    (
      pem.replacing("BEGIN PUBLIC KEY-----", with: "BEGIN PUBLIC KEY"),
      malformed(.malformed, "BEGIN line of the PEM (-----BEGIN …-----)", 11)
    ),
    (
      pem.replacing("BEGIN PUBLIC KEY-----", with: "BEGIN PUBLIC KEY------"),
      malformed(.malformed, "BEGIN line of the PEM (-----BEGIN …-----)", 11)
    ),
    (
      pem.replacing("END PUBLIC KEY-----", with: "END PUBLIC KEY----"),
      malformed(.malformed, "END line of the PEM (-----END …-----)", 97)
    ),
    (pem.replacing(body, with: body + "="), malformed(.invalidPadding, bodies, 89)),
    (pem.replacing(body, with: body.dropLast()), malformed(.invalidPadding, bodies, 87)),
    (pem.replacing(body, with: "*" + body), malformed(.invalidCharacter, bodies, 27)),
    (pem.replacing(body, with: "-" + body), malformed(.invalidCharacter, bodies, 27)),
    (pem.replacing(body, with: "M\u{A0}" + body), malformed(.invalidCharacter, bodies, 28)),
    (pem.replacing(body, with: "\\x" + body), malformed(.invalidCharacter, bodies, 27)),
    (pem.replacing(body, with: "\\n*" + body), malformed(.invalidCharacter, bodies, 29)),
    (pem.replacing(body, with: "Comment: x\n\n" + body), malformed(.invalidCharacter, bodies, 34)),
    (pem.replacing(body, with: ""), malformed(.missing, bodies, 26)),
    (pem.replacing(body, with: dekInfo + body), .encrypted),
    (pem.replacing(body, with: dekInfo.replacing("\n", with: " ") + body), .encrypted),
    (pem.replacing(body, with: dekInfo.replacing("DEK-Info", with: "DEK") + body), .invalid("DEK-Info", .missing)),
    (pem.replacing(body, with: dekInfo.replacing("0E0F", with: "0E") + body), .invalid("DEK-Info", .invalidValue)),
    (pem.replacing(body, with: dekInfo.replacing(",00", with: ";00") + body), .invalid("DEK-Info", .malformed)),
    (
      pem.replacing(body, with: dekInfo.replacing("AES", with: "RC2") + body),
      .unsupported(what: "the cipher that encrypts this key (DEK-Info)")
    ),
    (pem + otherPEM, several),
    (pem.replacing("PUBLIC KEY", with: "CERTIFICATE REQUEST"), .notAKey(what: "a certificate request (CSR)")),
    (pem.replacing("PUBLIC KEY", with: "EC PARAMETERS"), .notAKey(what: "only a curve's parameters")),
    ("x" + pem, unknown),
    ("- " + pem, unknown),
    ("-" + pem, unknown),
    (String(body.dropLast()), unknown),
    ("ssh-ed25519 AAAA x", .notAKey(what: "an OpenSSH public key line (ssh-keygen -e -m PKCS8 -f FILE converts it)")),
    ("eyJhbGciOiJFUzI1NiJ9.e30.AA", .notAKey(what: "a token (JWT)")),
    ("", .notAKey(what: "an empty file")),
    (" \r\n\t", .notAKey(what: "an empty file")),
    (String(repeating: " ", count: KeyFile.maximumBytes) + pem, malformed(.tooLarge, "key file", KeyFile.maximumBytes)),
  ]

  static func malformed(_ code: CodecError.Code, _ field: Field, _ offset: Int) -> KeyError.Reason {
    .malformed(CodecError(code, field, at: offset))
  }

  @Test func isRefused() {
    #expect(Self.refusals.count == 33)
    for (text, expected) in Self.refusals {
      let bytes = Array(text.utf8)
      var reason: KeyError.Reason?
      do throws(KeyError) { _ = try KeyFile.read(bytes.span) } catch { reason = error.reason }
      #expect(reason == expected, "\(text.prefix(100))")
    }
  }

  /// Many boundaries cost no more than reading them.
  @Test func manyBoundaries() {
    for line in ["-----BEGIN A-----\n", "-----BEGIN A-----\n-----END A-----\n", "-----BEGIN \n", "-----", " \n"] {
      let bytes = Array(String(repeating: line, count: KeyFile.maximumBytes / line.utf8.count).utf8)
      #expect(throws: KeyError.self) { _ = try KeyFile.read(bytes.span) }
    }
  }

  @Test func everyChangedByteIsRefusedOrAnotherKey() throws {
    let bytes = Array(Self.pem.utf8)
    for index in bytes.indices {
      for byte in UInt8.min...UInt8.max where byte != bytes[index] {
        var changed = bytes
        changed[index] = byte
        guard let file = try? KeyFile.read(changed.span) else { continue }
        // White space for white space, and text before the armour, leave the key as it was.
        if case .publicKey(let numbers) = file.takeContents(), numbers.spki() == Self.spki {
          #expect(bytes[index] <= 0x20 || byte == 0x0A || byte == 0x0D)
        }
      }
    }
  }
}
