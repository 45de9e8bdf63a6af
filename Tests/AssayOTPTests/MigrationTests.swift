import AssayCodec
import AssayOTP
import TestSupport
import Testing

/// Exports of authenticator apps: `otpauth-migration` links.
@Suite struct MigrationTests {
  private static let link = "otpauth-migration://offline?data="
  private static let secret = Array("12345678901234567890".utf8)

  private static let codes: [String: OTPMigrationError.Code] = [
    "invalid_counter": .invalidCounter, "unsupported_algorithm": .unsupportedAlgorithm,
    "unsupported_type": .unsupportedType, "empty_secret": .emptySecret, "invalid_utf8": .invalidUTF8,
    "malformed_varint": .malformedVarint, "unsupported_wire_type": .unsupportedWireType,
    "invalid_base64": .invalidBase64, "missing_data": .missingData, "unsupported_host": .unsupportedHost,
    "truncated": .truncated,
  ]

  private static func fault(_ uri: [UInt8]) -> OTPMigrationError? {
    do throws(OTPMigrationError) {
      _ = try OTPMigration(uri.span)
      return nil
    } catch { return error }
  }

  private static func fault(_ body: () throws(OTPMigrationError) -> Void) -> OTPMigrationError.Code? {
    do throws(OTPMigrationError) {
      try body()
      return nil
    } catch { return error.code }
  }

  /// A link that holds these bytes.
  private static func uri(_ message: [UInt8]) -> [UInt8] {
    let base64 = Base64.encode(message.span).string
    let data = base64.replacing("+", with: "%2B").replacing("/", with: "%2F").replacing("=", with: "%3D")
    return Array((link + data).utf8)
  }

  private static func text(_ secret: borrowing SecretBytes) -> String {
    secret.withSpan { String(decoding: Array(copying: $0), as: UTF8.self) }
  }

  private static func entry(
    _ account: UTF8Text = "a", issuer: UTF8Text? = nil, algorithm: OTPAlgorithm = .sha1, digits: Int = 6,
    factor: OTPKey.Factor = .time(period: 30), byte: UInt8 = 7, count: Int = 20
  ) throws -> OTPMigration.Entry {
    let bytes = [UInt8](repeating: byte, count: count)
    return OTPMigration.Entry(
      try OTPKey(
        issuer: issuer, account: account, secret: SecretBytes(copying: bytes.span), algorithm: algorithm,
        digits: digits, factor: factor, allowShortSecret: true))
  }

  @Test(.enabled(if: TestData.hasExtra)) func everyLinkOfTheCollection() throws {
    let vectors = OTPVector.extra("otp/migration.json")
    #expect(vectors.count == 23)
    var accepted = 0
    var rewritten = 0
    for vector in vectors {
      let id = vector.string("id")
      let text = vector.string("uri")
      let expected = OTPVector(json: vector.json["expect"] ?? .null, file: vector.file)
      do throws(OTPMigrationError) {
        let read = try OTPMigration(Array(text.utf8).span)
        #expect(expected.json["ok"] == true, "\(id)")
        accepted += 1
        #expect(read.entries.count == expected.json["entries"]?.array?.count, "\(id)")
        #expect((read.skippedFields > 0) == (id == "mig-18"), "\(id)")
        if !read.entries.isEmpty, Self.text(try read.uri()) == text { rewritten += 1 }
      } catch {
        #expect(expected.json["ok"] == false, "\(id): \(error)")
        #expect(error.code == Self.codes[expected.string("error")], "\(id)")
      }
    }
    #expect(accepted == 12)
    // Byte for byte as the app wrote them: all but those with odd escapes, defaults left open, or unknown fields.
    #expect(rewritten == 5)
  }

  /// A message that says everything.
  private static let message: [UInt8] =
    [0x0A, 0x29, 0x0A, 0x14] + secret + [0x12, 1, 0x61, 0x1A, 1, 0x41, 0x20, 2, 0x28, 2, 0x30, 1, 0x38, 0xAC, 0x02]
    + [0x48, 1, 0x50, 1] + [0x10, 1, 0x18, 3, 0x20, 2, 0x28, 0x4D]

  @Test func everyFieldIsRead() throws {
    let read = try OTPMigration(Self.uri(Self.message).span)
    #expect(read.part == (try OTPMigration.Part(version: 1, size: 3, index: 2, id: 77)))
    #expect(read.skippedFields == 2 && read.warnings == [])
    let entry = try #require(read.entries.first)
    #expect(read.entries.count == 1)
    let (issuer, account, algorithm) = (entry.key.issuer, entry.key.account, entry.key.algorithm)
    let (digits, factor) = (entry.key.digits, entry.key.factor)
    #expect(issuer == "A" && account == "a" && algorithm == .sha256 && digits == 8 && factor == .counter(300))
    let secret = entry.key.secret.withSpan { Array(copying: $0) }
    #expect(secret == Self.secret)
  }

  /// No truncation is read, save where what is left is whole, and nothing is read out of bounds.
  @Test func everyTruncationAndEveryBit() throws {
    let whole = Self.message
    let boundaries: Set<Int> = [43, 45, 47, 49]
    for count in 1..<whole.count {
      let fault = Self.fault(Self.uri(Array(whole.prefix(count))))
      if boundaries.contains(count) {
        #expect(fault == nil || fault?.code == .invalidBatch, "\(count)")
      } else {
        #expect(fault?.code == .truncated, "\(count)")
      }
    }
    for index in whole.indices {
      for bit in 0..<8 {
        var flipped = whole
        flipped[index] ^= 1 << UInt8(bit)
        if let fault = Self.fault(Self.uri(flipped)) { #expect((0...whole.count).contains(fault.offset)) }
      }
    }
    let uri = Self.uri(whole)
    for count in 0..<Self.link.utf8.count { #expect(Self.fault(Array(uri.prefix(count))) != nil) }
    for index in uri.indices {
      for byte in UInt8.min...UInt8.max {
        var changed = uri
        changed[index] = byte
        if let fault = Self.fault(changed) { #expect((0...uri.count).contains(fault.offset)) }
      }
    }
  }

  /// One key with other fields behind its secret.
  private static func withFields(_ fields: [UInt8]) -> [UInt8] {
    uri([0x0A, UInt8(22 + fields.count), 0x0A, 0x14] + secret + fields)
  }

  static let refusedFields: [([UInt8], OTPMigrationError.Code)] = [
    ([0x20, 4], .unsupportedAlgorithm), ([0x20, 5], .unsupportedAlgorithm), ([0x28, 3], .unsupportedDigits),
    ([0x30, 3], .unsupportedType), ([0x30, 1, 0x38] + [UInt8](repeating: 0xFF, count: 9) + [1], .invalidCounter),
    ([0x20, 1, 0x20, 1], .duplicateField), ([0x12, 1, 0x61, 0x12, 1, 0x61], .duplicateField),
    ([0x0A, 1, 0x61], .duplicateField), ([0x22, 1, 1], .wrongWireType), ([0x10, 1], .wrongWireType),
    ([0x25, 1, 0, 0, 0], .wrongWireType), ([0x12, 1, 0x0A], .controlCharacter),
    ([0x1A, 2, 0xC2, 0x9B], .controlCharacter),
    ([0x12, 1, 0xFF], .invalidUTF8), ([0x12, 2, 0x61], .truncated), ([0x4B], .unsupportedWireType),
    ([0x4C], .unsupportedWireType), ([0x4E], .unsupportedWireType), ([0x4F], .unsupportedWireType),
    ([0x00, 1], .malformedField), ([0x07], .malformedField), ([0x80, 0x80, 0x80, 0x80, 0x10, 1], .malformedField),
    ([0x38] + [UInt8](repeating: 0x80, count: 9) + [2], .malformedVarint),
    ([0x38] + [UInt8](repeating: 0x80, count: 10) + [1], .malformedVarint), ([0x38, 0x80], .truncated),
  ]

  @Test(arguments: refusedFields) func oneFieldSpoilsTheLink(_ fields: [UInt8], _ code: OTPMigrationError.Code) {
    #expect(Self.fault(Self.withFields([])) == nil)
    #expect(Self.fault(Self.withFields(fields))?.code == code)
  }

  static let refusedMessages: [([UInt8], OTPMigrationError.Code)] = [
    ([0x08, 1], .wrongWireType), ([0x12, 1, 1], .wrongWireType), ([0x10, 1, 0x10, 1], .duplicateField),
    ([0x18, 2, 0x20, 2], .invalidBatch), ([0x20, 1], .invalidBatch), ([0x18, 0xE9, 7], .invalidBatch),
    ([0x20] + [UInt8](repeating: 0xFF, count: 9) + [1], .invalidBatch),
    ([0x28, 0x80, 0x80, 0x80, 0x80, 0x10], .invalidBatch), ([0x0A, 0], .emptySecret),
    ([0x0A, 2, 0x0A, 0], .emptySecret),
    ([0x0A, 0x84, 8, 0x0A, 0x81, 8] + [UInt8](repeating: 1, count: 1025), .longSecret),
  ]

  @Test(arguments: refusedMessages) func aMessageHasRules(_ message: [UInt8], _ code: OTPMigrationError.Code) {
    #expect(Self.fault(Self.uri(message))?.code == code)
  }

  static let refusedLinks: [(String, OTPMigrationError.Code)] = [
    ("", .invalidURI), ("x", .invalidURI), ("otpauth://offline?data=EAE", .unsupportedScheme),
    ("otpauth-migration:offline?data=EAE", .invalidURI), ("otpauth-migration://?data=EAE", .unsupportedHost),
    ("otpauth-migration:///?data=EAE", .unsupportedHost), ("otpauth-migration://offline/x?data=EAE", .unsupportedHost),
    ("otpauth-migration://offline?data", .missingData), ("otpauth-migration://offline?data=", .missingData),
    ("otpauth-migration://offline?data=EAE&data=EAE", .duplicateData),
    ("otpauth-migration://offline?data=%4", .invalidPercentEncoding),
    ("otpauth-migration://offline?data=E E", .invalidURI), ("otpauth-migration://offline?data=EAE#", .invalidURI),
    ("otpauth-migration://offline?data=EA-_", .invalidBase64), ("otpauth-migration://offline?data=E", .invalidBase64),
    ("otpauth-migration://offline?data=" + String(repeating: "A", count: 16384), .tooLong),
  ]

  @Test(arguments: refusedLinks) func aLinkHasOneForm(_ uri: String, _ code: OTPMigrationError.Code) {
    #expect(Self.fault(Array(uri.utf8))?.code == code)
  }

  @Test func whatDoesNoHarmIsTaken() throws {
    for uri in [
      "otpauth-migration://offline?data=EAE", "OTPAUTH-Migration://offline/?data=EAE%3D",
      " otpauth-migration://offline?data=EAE\n",
      "otpauth-migration://offline?x=y&data=EAE=",
    ] {
      let read = try OTPMigration(Array(uri.utf8).span)
      #expect(read.warnings == [.noKeys], "\(uri)")
      #expect(read.skippedFields == (uri.contains("x=y") ? 1 : 0), "\(uri)")
    }
    #expect(try OTPMigration(Self.uri([0x10, 3]).span).warnings == [.noKeys, .unknownVersion])
    #expect(try OTPMigration(Self.uri([0x0A, 3, 0x0A, 1, 1]).span).warnings == [.unknownVersion, .weakSecret])
  }

  /// A key is five bytes at least, so a link can hold more than are read.
  @Test func keysAreCounted() throws {
    let key: [UInt8] = [0x0A, 3, 0x0A, 1, 1]
    let most = [[UInt8]](repeating: key, count: 1000).flatMap { $0 }
    #expect(try OTPMigration(Self.uri(most).span).entries.count == 1000)
    #expect(Self.fault(Self.uri(most + key))?.code == .tooManyKeys)
  }

  // MARK: Writing

  @Test func whatIsWrittenReadsBackAsTheSame() throws {
    let names: [(UTF8Text?, UTF8Text)] = [
      (nil, "alice"), ("ACME Co", "a@example.com"), ("A", "é + / = %"), ("A", "A"), ("喵", "b"),
    ]
    var entries: [OTPMigration.Entry] = []
    for (issuer, account) in names {
      for algorithm in OTPAlgorithm.allCases {
        for (digits, factor) in [
          (6, OTPKey.Factor.time(period: 30)), (8, .counter(0)), (8, .counter(UInt64(Int64.max))),
        ] {
          entries.append(
            try Self.entry(account, issuer: issuer, algorithm: algorithm, digits: digits, factor: factor, byte: 0xFB))
        }
      }
    }
    // Colons, which only a lenient reader lets in.
    for uri in ["otpauth://totp/:a:b?secret=GEZDGNBVGY3TQOJQ", "otpauth://totp/X:X:a?secret=GEZDGNBVGY3TQOJQ&issuer=X"]
    {
      let read = try OTPAuthURI(Array(uri.utf8).span, .lenient)
      entries.append(OTPMigration.Entry(read.takeKey()))
    }
    let parts = try OTPMigration.parts(of: entries, id: -5)
    #expect(parts.count == 5)
    var assembly = OTPMigrationAssembly()
    for part in parts.reversed() {
      let uri = try part.uri()
      try assembly.add(try uri.withSpan { (span) throws(OTPMigrationError) in try OTPMigration(span) })
    }
    let again = try assembly.entries()
    #expect(again.count == 47)
    for (before, after) in zip(entries, again) {
      let (issuer, account) = (after.key.issuer, after.key.account)
      #expect(issuer == before.key.issuer && account == before.key.account)
      let (algorithm, digits, factor) = (after.key.algorithm, after.key.digits, after.key.factor)
      #expect(algorithm == before.key.algorithm && digits == before.key.digits && factor == before.key.factor)
      let secrets = [before, after].map { entry in entry.key.secret.withSpan { Array(copying: $0) } }
      #expect(secrets[0] == secrets[1])
    }
  }

  @Test func whatTheFormatCannotSayIsNotWritten() throws {
    let part = try OTPMigration.Part(size: 1, index: 0, id: 1)
    for (entry, code) in [
      (try Self.entry(digits: 7), OTPMigrationError.Code.unsupportedDigits),
      (try Self.entry(factor: .time(period: 60)), .unsupportedPeriod),
      (try Self.entry(factor: .counter(1 << 63)), .invalidCounter),
    ] {
      let migration = try OTPMigration([entry], part: part)
      #expect(Self.fault { () throws(OTPMigrationError) in _ = try migration.uri() } == code)
    }
    let steam = try OTPAuthURI(
      Array("otpauth://totp/a?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&encoder=steam".utf8).span, .lenient)
    let migration = try OTPMigration([OTPMigration.Entry(steam.takeKey())], part: part)
    #expect(Self.fault { () throws(OTPMigrationError) in _ = try migration.uri() } == .unsupportedEncoder)
    let long = try OTPMigration([OTPMigration.Entry](repeating: Self.entry(count: 1024), count: 13), part: part)
    #expect(Self.fault { () throws(OTPMigrationError) in _ = try long.uri() } == .tooLong)
    #expect(Self.fault { () throws(OTPMigrationError) in _ = try OTPMigration([], part: part).uri() } == .noKeys)
    let many = [OTPMigration.Entry](repeating: try Self.entry(), count: 1001)
    #expect(Self.fault { () throws(OTPMigrationError) in _ = try OTPMigration(many, part: part) } == .tooManyKeys)
    #expect(
      Self.fault { () throws(OTPMigrationError) in _ = try OTPMigration.parts(of: many, id: 1, keysPerPart: 1) }
        == .invalidBatch)
    for count in [0, -1, Int.min] {
      #expect(
        Self.fault { () throws(OTPMigrationError) in _ = try OTPMigration.parts(of: many, id: 1, keysPerPart: count) }
          == .noKeys)
    }
    #expect(Self.fault { () throws(OTPMigrationError) in _ = try OTPMigration.parts(of: [], id: 1) } == .noKeys)
  }

  // MARK: Parts

  @Test func partsOfOneExportAreHeldTogether() throws {
    let entries = try (0..<5).map { try Self.entry(UTF8Text("a\($0)")) }
    let parts = try OTPMigration.parts(of: entries, id: 9, keysPerPart: 2)
    var assembly = OTPMigrationAssembly()
    #expect(Self.fault { () throws(OTPMigrationError) in _ = try assembly.entries() } == .noKeys)
    #expect(assembly.missing == [])
    try assembly.add(parts[2])
    #expect(assembly.missing == [0, 1])
    #expect(Self.fault { () throws(OTPMigrationError) in _ = try assembly.entries() } == .missingPart)
    #expect(Self.fault { () throws(OTPMigrationError) in try assembly.add(parts[2]) } == .repeatedPart)
    for (size, id, version) in [(3, Int32(8), Int32(1)), (4, 9, 1), (3, 9, 2)] {
      let part = try OTPMigration.Part(version: version, size: size, index: 0, id: id)
      let other = try OTPMigration(entries, part: part)
      #expect(Self.fault { () throws(OTPMigrationError) in try assembly.add(other) } == .otherBatch)
    }
    try assembly.add(parts[0])
    try assembly.add(parts[1])
    #expect(assembly.missing == [])
    #expect(try assembly.entries().map { $0.key.account.string } == ["a0", "a1", "a2", "a3", "a4"])
  }

  @Test func aPartIsOneOfAsManyAsThereAre() {
    for (size, index) in [(0, 0), (1, 1), (1, -1), (-1, -1), (1001, 0), (.max, 0), (.min, .min)] {
      #expect(
        Self.fault { () throws(OTPMigrationError) in _ = try OTPMigration.Part(size: size, index: index, id: 0) }
          == .invalidBatch)
    }
  }

  @Test func anEntryDoesNotPrintItself() throws {
    let entry = try Self.entry("alice", byte: 0x31)
    var shown = "\(entry)"
    dump(entry, to: &shown)
    dump(try OTPMigration([entry], part: OTPMigration.Part(size: 1, index: 0, id: 0)), to: &shown)
    #expect(!shown.contains("alice") && !shown.contains("49") && !shown.contains("111"))
  }
}
