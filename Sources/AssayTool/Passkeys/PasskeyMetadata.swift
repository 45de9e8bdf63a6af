internal import AssayCodec
internal import AssayCrypto
internal import AssayWebAuthn

/// `passkey metadata`: shows what a metadata BLOB says of models of authenticators.
enum PasskeyMetadata {
  static let command = Command(
    path: ["passkey", "metadata"], summary: "show what a FIDO metadata BLOB says of authenticators",
    options: [
      .option("--blob", "FILE", "the BLOB as it was fetched (a JWS), or its payload alone (JSON)"),
      .option("--roots", "FILE", "certificates to trust, in PEM: without them NOTHING IS VERIFIED"),
      .option("--signer", "HOST", MetadataSigner.help),
      .list("--crl", "FILE", "a revocation list in DER; then each certificate must be covered by one: once for each"),
      .option("--downloaded", "SECONDS", "when the BLOB was fetched, since 1970; default: now"),
      .option("--after", "NO", "the number of the BLOB accepted before: an older one is refused"),
      .option("--grace", "DAYS", "how long a BLOB may be used after its next update was due; default: 0"),
      .option("--at", "SECONDS", "the time to judge by, since 1970; default: now"),
    ],
    operands: Command.Operands(
      name: "ID", help: "AAGUIDs, AAIDs or key identifiers of attestation certificates; none: the BLOB as a whole",
      count: 0...1024),
    notes: ["Status reports are judged as the engine does when nothing else is configured."],
    run: { arguments throws(Failure) in
      let path = try arguments.required("--blob")
      var identifiers: [MetadataIdentifier] = []
      for text in arguments.operands {
        guard let identifier = MetadataIdentifier(text) else {
          throw .usage(
            "\(Shown.text(text)) is no AAGUID (8-4-4-4-12 digits, or 32), no AAID (1234#ABCD) and no key identifier")
        }
        identifiers.append(identifier)
      }
      let time = try arguments.time("--at")
      var report = Report.done
      let payload = try read(path, arguments, at: time, &report)
      if identifiers.isEmpty {
        summary(of: payload, &report)
        return report
      }
      for identifier in identifiers {
        let entries = try reading(path) { () throws(MetadataError) in try payload.entries(for: identifier) }
        guard !entries.isEmpty else {
          throw .refused("\(CeremonyFile.shown(path)): it has no entry for \(Shown.text(identifier.text))")
        }
        for entry in entries { report.add(MetadataReport.report(on: entry, at: time), under: "entries") }
      }
      return report
    })

  /// The payload, verified if there is anything to verify it with.
  private static func read(
    _ path: UTF8Text, _ arguments: Arguments, at time: UnixTime, _ report: inout Report
  ) throws(Failure) -> MetadataPayload {
    let onlyVerifying: [UTF8Text] = ["--signer", "--crl", "--downloaded", "--after", "--grace"]
    if let option = onlyVerifying.first(where: { arguments.has($0) }), !arguments.has("--roots") {
      throw .usage("\(option.string) is for a BLOB that is verified: give --roots too")
    }
    let bytes = try Input.readLine(path)
    let isJSON = bytes.first == UInt8(ascii: "{")
    guard let rootsPath = arguments["--roots"] else {
      report.warning("NOTHING WAS VERIFIED: anyone may have written every word of this; give --roots to verify")
      return try reading(path) { () throws(MetadataError) in
        if isJSON { return try MetadataPayload.decodeWithoutVerifying(json: bytes.span) }
        return try MetadataPayload.decodeWithoutVerifying(blob: bytes.span)
      }
    }
    guard !isJSON else {
      throw .refused("\(CeremonyFile.shown(path)): this is only the payload, which nobody signed: give the BLOB itself")
    }
    var policy = MetadataBLOBPolicy()
    if let signer = arguments["--signer"] { policy.signerDNSName = MetadataSigner.host(signer) }
    policy.lastAcceptedNo = try arguments.integer("--after", in: 0...Int64.max)
    if let days = try arguments.integer("--grace", in: 0...36_500) { policy.outOfDate = .accept(days: days) }
    if arguments.has("--crl") {
      var lists: [[UInt8]] = []
      for path in arguments.all("--crl") { lists.append(try Input.read(path)) }
      do throws(CertificatePathError) {
        policy.revocation = .hardFail(crls: try RevocationLists(lists))
      } catch { throw .refused("--crl: \(error)") }
    }
    let downloaded = try arguments.time("--downloaded", default: time)
    let roots = try Input.read(rootsPath)
    let anchors: TrustAnchors
    do throws(CertificatePathError) {
      anchors = try TrustAnchors(pem: roots.span)
    } catch { throw .refused("\(CeremonyFile.shown(rootsPath)): certificates in PEM are needed: \(error)") }
    let blob = try reading(path) { () throws(MetadataError) in
      try MetadataBLOB.verify(bytes.span, to: anchors, downloadedAt: downloaded, at: time, policy)
    }
    report.fact("verified", "signature and certificates", .bool(true), shown: "verified")
    return blob.payload
  }

  private static func reading<T>(
    _ path: UTF8Text, _ body: () throws(MetadataError) -> T
  ) throws(Failure) -> T {
    do throws(MetadataError) {
      return try body()
    } catch {
      var facts: KeyValuePairs<UTF8Text, JSONValue> = ["field": .string(UTF8Text(error.field.description))]
      if let entry = error.entry {
        facts = [
          "field": .string(UTF8Text(error.field.description)), "entry": .number(JSONNumber(Int64(entry))),
        ]
      }
      throw .refused("\(CeremonyFile.shown(path)): \(error)", facts)
    }
  }

  private static func summary(of payload: MetadataPayload, _ report: inout Report) {
    report.fact("no", "serial number (no)", .number(JSONNumber(payload.no)))
    report.fact("nextUpdate", "next update by", .string(payload.nextUpdate.text))
    report.fact("count", "entries", .number(JSONNumber(Int64(payload.count))))
    let refused = payload.refusedEntries()
    report.fact("refusedCount", "entries that cannot be read", .number(JSONNumber(Int64(refused.count))))
    for error in refused { report.warning("\(error)") }
    if let legalHeader = payload.legalHeader {
      report.fact("legalHeader", "legal header", .string(legalHeader), shown: Shown.words(legalHeader.string))
    }
  }
}

/// Who must have signed a BLOB, as the options for it say that.
enum MetadataSigner {
  static let help = "the host name the signer's certificate must have (default: mds.fidoalliance.org), or: any"

  static func host(_ word: UTF8Text) -> UTF8Text? { word == "any" ? nil : word }
}
