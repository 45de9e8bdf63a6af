internal import AssayCodec
internal import AssayCrypto
internal import AssayWebAuthn

/// What a ceremony's file says of the certificates in its attestation: whom to trust, when, and what comes of it.
struct StatedTrust {
  let anchors: TrustAnchors
  let time: UnixTime
  /// Nil: the sources disagree, and it is not decided here.
  let isTrusted: Bool?

  /// Reads what a file states; nil if it states nothing. `read` reads another file: one beside, or `roots/NAME`.
  /// Where its sources disagree, `scope` decides.
  init?(_ file: JSONValue, _ scope: VectorScope, read: (UTF8Text) -> [UInt8]?) throws(VectorFileError) {
    guard let trust = file["trust"], trust.object != nil else {
      // A software TPM's file gives the root that has certified it, and says that it is valid under it.
      guard file["credential"] != nil, let pem = file["rootPem"]?.string else { return nil }
      anchors = try Self.anchors { () throws(CertificatePathError) in try TrustAnchors(pem: pem.utf8.span) }
      // 2027-01-15: these were made in November 2026.
      time = UnixTime(1_800_000_000)
      isTrusted = true
      return
    }
    if let verdict = trust["expectedTrust"]?.string {
      let decided = verdict == "policy" ? file["id"]?.string.flatMap { scope.decision(on: $0) } : verdict
      isTrusted = decided.flatMap { Self.verdicts[$0] }
      guard let pem = trust["rootPem"]?.string, let day = Self.day(trust["validAt"]?.string),
        isTrusted != nil || verdict == "policy"
      else { throw VectorFileError("trust: rootPem, validAt or expectedTrust cannot be read") }
      anchors = try Self.anchors { () throws(CertificatePathError) in try TrustAnchors(pem: pem.utf8.span) }
      time = day
    } else if let name = trust["rootFile"]?.string {
      guard let window = trust["chainValidWindow"]?.string, let first = Self.day(window),
        let pem = read(name)
      else { throw VectorFileError("trust: rootFile or chainValidWindow cannot be read") }
      anchors = try Self.anchors { () throws(CertificatePathError) in try TrustAnchors(pem: pem.span) }
      // Early in the time of the certificates: some outlive their root.
      time = first.adding(seconds: 86_400)
      isTrusted = true
    } else if let name = trust["root"]?.string {
      // The root of the specification's own vectors, in hexadecimal.
      // Ceremonies that were derived from those lie apart from it, and their paths are not judged.
      guard let bytes = read(name) else { return nil }
      guard let json = try? JSONValue.decode(bytes.span),
        let text = json["attestation_ca_cert_der_hex"]?.string, let der = try? Base16.decode(text.utf8.span)
      else { throw VectorFileError("trust: root cannot be read") }
      anchors = try Self.anchors { () throws(CertificatePathError) in try TrustAnchors(certificates: [der]) }
      (time, isTrusted) = (CeremonySession.now, true)
    } else {
      return nil
    }
  }

  private static let verdicts: [UTF8Text: Bool] = ["trusted": true, "untrusted": false]

  /// Whom the file says to trust.
  var attestationTrust: AttestationTrust { AttestationTrust([.init(name: "the file's root", anchors: anchors)]) }

  private static func anchors(
    _ body: () throws(CertificatePathError) -> TrustAnchors
  ) throws(VectorFileError) -> TrustAnchors {
    do throws(CertificatePathError) { return try body() } catch { throw VectorFileError("trust: \(error)") }
  }

  /// The day that a text begins with.
  private static func day(_ text: UTF8Text?) -> UnixTime? {
    text.flatMap { UTF8Text(validating: Array($0.utf8.prefix(10)).span) }.flatMap { MetadataDate($0)?.start }
  }
}
