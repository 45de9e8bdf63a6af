internal import AssayCodec
internal import AssayCrypto
internal import AssayOTP

/// `otp import`: says which keys an authenticator app's export holds, or writes them as URIs.
enum OTPImport {
  static let command = Command(
    path: ["otp", "import"], summary: "read the keys that an authenticator app exports (otpauth-migration)",
    options: [
      .option("--uri", "LINK", "the link itself instead of FILE: others on this machine can see the secrets in it"),
      .flag("--otpauth", "print each key as an otpauth URI, one a line, and nothing else: these hold the secrets"),
      .flag("--show-secret", "print the secrets too"),
    ],
    operands: Command.Operands(
      name: "FILE", help: "the links of one export, one a line, in any order; - is standard input", count: 0...1),
    notes: [
      "The app shows each link as a QR code; a camera app reads it as text. The links hold the secrets: delete them after use.",
      "Nothing in an export is proven: the names in it are whatever its maker wrote.",
    ],
    run: { arguments throws(Failure) in
      guard !(arguments.has("--otpauth") && arguments.has("--show-secret")) else {
        throw .usage("--show-secret is for the report, --otpauth prints URIs only: leave one out")
      }
      var text = try OTPLines.text(arguments, "link")
      defer { wipe(&text) }
      var assembly = OTPMigrationAssembly()
      var warnings: [String] = []
      var skipped = 0
      for (number, line) in OTPLines.split(text) {
        do throws(OTPMigrationError) {
          let read = try OTPMigration(text.span.extracting(line))
          try assembly.add(read)
          skipped += read.skippedFields
          for warning in read.warnings.map(\.description) where !warnings.contains(warning) { warnings.append(warning) }
        } catch { throw OTPLines.failure("\(error)", error.field, error.offset, line: number) }
      }
      if skipped > 0 { warnings.append("\(skipped) fields that have no meaning here were skipped") }
      let entries: [OTPMigration.Entry]
      do throws(OTPMigrationError) {
        entries = try assembly.entries()
      } catch { throw .refused("\(error)") }
      var report = Report.done
      report.heading(entries.count == 1 ? "an export of 1 key" : "an export of \(entries.count) keys")
      for warning in warnings { report.warning(warning) }
      if arguments.has("--otpauth") {
        let uris = try entries.map { (entry) throws(Failure) in try OTPKeyOptions.uri(entry.key) }
        report.fact("uris", "uris", .array(uris.map { .string(UTF8Text($0)) }))
        report.body(Array(uris.map { $0 + "\n" }.joined().utf8))
        return report
      }
      for entry in entries {
        var one = Report.done
        one.heading(OTPKeyReport.heading(entry.key))
        OTPKeyReport.add(entry.key, to: &one, showsSecret: arguments.has("--show-secret"))
        report.add(one, under: "keys")
      }
      return report
    })
}

/// `otp export`: writes keys as the links that an authenticator app imports.
enum OTPExport {
  static let command = Command(
    path: ["otp", "export"],
    summary: "write otpauth URIs as the links that authenticator apps import (otpauth-migration)",
    options: [
      .option(
        "--keys-per-part", "N", "keys of one link, and so of one QR code (default: \(OTPMigration.keysPerPart))"),
      QRCode.option,
    ],
    operands: Command.Operands(
      name: "FILE", help: "otpauth URIs, one a line; - is standard input", count: 1...1),
    notes: [
      "The links hold the secrets: show them to one person, and delete them after use.",
      "The format has no other period than 30 seconds and no other digits than 6 and 8: a key with others is refused.",
    ],
    run: { arguments throws(Failure) in
      let count = try arguments.integer("--keys-per-part", in: 1...OTPMigration.maximumKeys)
      var text = try Input.read(arguments.operands.first ?? "")
      defer { wipe(&text) }
      var report = Report.done
      var entries: [OTPMigration.Entry] = []
      for (number, line) in OTPLines.split(text) {
        guard entries.count < OTPMigration.maximumKeys else {
          throw .refused("there are more than \(OTPMigration.maximumKeys) keys: export fewer at once")
        }
        do throws(OTPKeyError) {
          let read = try OTPAuthURI(text.span.extracting(line), .lenient)
          for warning in read.warnings { report.warning("line \(number): \(warning.description)") }
          entries.append(OTPMigration.Entry(read.takeKey()))
        } catch { throw OTPLines.failure("\(error)", error.part, error.offset, line: number) }
      }
      let id = try OTPLines.randomID()
      let links: [String]
      do throws(OTPMigrationError) {
        let parts = try OTPMigration.parts(
          of: entries, id: id, keysPerPart: count ?? OTPMigration.keysPerPart)
        links = try parts.map { (part) throws(OTPMigrationError) in
          let uri = try part.uri()
          return uri.withSpan { String(decoding: Array(copying: $0), as: UTF8.self) }
        }
      } catch { throw .refused("\(error)") }
      report.fact("uris", "uris", .array(links.map { .string(UTF8Text($0)) }))
      try report.body(links, arguments)
      return report
    })
}
