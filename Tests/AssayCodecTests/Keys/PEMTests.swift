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
  ]

  @Test(arguments: tolerated) func isRead(_ text: String) throws {
    let bytes = Array(text.utf8)
    let file = try KeyFile.read(bytes.span)
    #expect(file.isPEM && file.format == .spki && file.kind == "Ed25519")
  }

  static let refusals: [(String, KeyError.Reason)] = [
    (pem.replacing("-----END PUBLIC KEY-----\n", with: ""), malformed(.missing, "END line of the PEM", 88)),
    (pem.replacing("END PUBLIC", with: "END PRIVATE"), malformed(.invalidValue, "END line of the PEM", 88)),
    (pem.replacing("BEGIN PUBLIC KEY-----", with: "BEGIN PUBLIC KEY"), malformed(.malformed, "PEM label", 11)),
    (pem.replacing(body, with: body + "="), malformed(.invalidPadding, "PEM body", 89)),
    (pem.replacing(body, with: body.dropLast()), malformed(.invalidPadding, "PEM body", 87)),
    (pem.replacing(body, with: "*" + body), malformed(.invalidCharacter, "PEM body", 27)),
    (pem.replacing(body, with: "-" + body), malformed(.invalidCharacter, "PEM body", 27)),
    (pem.replacing(body, with: "Comment: x\n\n" + body), malformed(.invalidCharacter, "PEM body", 34)),
    (pem.replacing(body, with: ""), malformed(.truncated, "DER of the key", 0)),
    (pem.replacing(body, with: "Proc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,00\n\n" + body), .encrypted),
    (pem + pem, .unsupported(what: "a file with more than one key or certificate")),
    (
      pem + pem.replacing("PUBLIC KEY", with: "CERTIFICATE"),
      .unsupported(what: "a file with more than one key or certificate")
    ),
    (pem.replacing("PUBLIC KEY", with: "ENCRYPTED PRIVATE KEY"), .encrypted),
    (pem.replacing("PUBLIC KEY", with: "CERTIFICATE"), .notAKey(what: "a certificate")),
    (pem.replacing("PUBLIC KEY", with: "CERTIFICATE REQUEST"), .notAKey(what: "a certificate request (CSR)")),
    (pem.replacing("PUBLIC KEY", with: "EC PARAMETERS"), .notAKey(what: "only a curve's parameters")),
    (pem.replacing("PUBLIC KEY", with: "public key"), .notAKey(what: "PEM of a kind that is not known here")),
    ("x" + pem, .notAKey(what: "none of PEM (it begins with -----BEGIN), DER, JWK and COSE_Key")),
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
    #expect(Self.refusals.count == 23)
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
          #expect(bytes[index] == 0x0A || byte == 0x0A || byte == 0x0D)
        }
      }
    }
  }
}
