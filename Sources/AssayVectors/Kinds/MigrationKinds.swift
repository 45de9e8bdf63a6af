internal import AssayCodec
internal import AssayOTP

extension VectorKind {
  /// An `otpauth-migration` link. What was read is also written, and must be read as the same again.
  static let migration = VectorKind(name: "otpauth-migration") { (one, _) throws(VectorFileError) in
    let uri = try one.text("uri").utf8
    let verdict = try one.verdict()
    let expected = verdict == .valid ? try ExpectedMigration(one.value("export")) : nil
    let read: OTPMigration
    do throws(OTPMigrationError) {
      read = try OTPMigration(uri.span)
    } catch {
      return .compare(expected: verdict, actual: .invalid, because: error.description)
    }
    guard let expected else { return .failed(expected: "invalid", actual: "valid") }
    if let difference = expected.difference(from: read) {
      return .failed(expected: "the given keys", actual: "another \(difference)")
    }
    guard !read.entries.isEmpty else { return .passed }
    do throws(OTPMigrationError) {
      let written = try read.uri()
      let again = try written.withSpan { (span) throws(OTPMigrationError) in try OTPMigration(span) }
      guard let difference = expected.difference(from: again, skippedFields: 0) else { return .passed }
      return .failed(expected: "the given keys", actual: "written with another \(difference)")
    } catch {
      return .failed(expected: "to be written", actual: error.description)
    }
  }
}

/// The `export` of a case.
private struct ExpectedMigration {
  private struct Key {
    let issuer: UTF8Text?
    let account: UTF8Text
    let secret: [UInt8]
    let algorithm: OTPAlgorithm
    let digits: Int
    let factor: OTPKey.Factor

    init(_ value: JSONValue) throws(VectorFileError) {
      var key = try MemberReader(value, "a key")
      issuer = try key.optionalText("issuer")
      account = try key.text("account")
      secret = try key.hex("secret")
      algorithm = try key.otpAlgorithm()
      digits = try key.count("digits")
      switch try key.text("type") {
      case "totp": factor = .time(period: try key.integer("period"))
      case "hotp": factor = .counter(try key.unsigned("counter"))
      default: throw key.fault("unknown type")
      }
      try key.finish()
    }

    func difference(from key: borrowing OTPKey) -> String? {
      if key.issuer != issuer { return "issuer" }
      if key.account != account { return "account" }
      if !key.secret.withSpan({ publicBytesEqual($0, secret.span) }) { return "secret" }
      if key.algorithm != algorithm { return "algorithm" }
      if key.digits != digits { return "number of digits" }
      return key.factor != factor || key.encoder != .decimal ? "period or counter" : nil
    }
  }

  private let keys: [Key]
  private let part: [Int64]
  private let skippedFields: Int
  private let warnings: [UTF8Text]

  init(_ value: JSONValue) throws(VectorFileError) {
    var export = try MemberReader(value, "export")
    keys = try export.array("keys").map { (value) throws(VectorFileError) in try Key(value) }
    part = [
      try export.integer("version"), try export.integer("size"), try export.integer("index"), try export.integer("id"),
    ]
    skippedFields = try export.count("skippedFields")
    warnings = try export.texts("warnings")
    try export.finish()
  }

  /// The first thing in which what was read is not what is expected.
  func difference(from read: OTPMigration, skippedFields: Int? = nil) -> String? {
    if read.entries.count != keys.count { return "number of keys: \(read.entries.count)" }
    for (entry, key) in zip(read.entries, keys) {
      if let difference = key.difference(from: entry.key) { return difference }
    }
    let part = [Int64(read.part.version), Int64(read.part.size), Int64(read.part.index), Int64(read.part.id)]
    if part != self.part { return "part: \(part)" }
    if read.skippedFields != skippedFields ?? self.skippedFields {
      return "number of skipped fields: \(read.skippedFields)"
    }
    let names = read.warnings.map(\.name)
    return names.count == warnings.count && names.allSatisfy(warnings.contains) ? nil : "set of warnings"
  }
}
