internal import AssayCodec
internal import AssayCrypto

/// Reads `otpauth-migration://offline?data=`, in the order: the link, base64, the message, and in it each key as it comes.
struct OTPMigrationReader {
  private var skippedFields = 0
  private var entries: [OTPMigration.Entry] = []

  static func read(_ uri: Span<UInt8>) throws(OTPMigrationError) -> OTPMigration {
    var reader = OTPMigrationReader()
    let range = try reader.data(uri)
    var text: [UInt8]
    do throws(OTPKeyError) {
      text = try URIText.unescaped(uri, range, "data", plusIsSpace: false)
    } catch { throw OTPMigrationError(.invalidPercentEncoding, "data", at: range.lowerBound) }
    defer { wipe(&text) }
    let message: SecretBytes
    do throws(CodecError) {
      message = try Base64.decodeSecret(text.span, [.padding])
    } catch { throw OTPMigrationError(.invalidBase64, "data", at: range.lowerBound) }
    return try message.withSpan { (bytes) throws(OTPMigrationError) in try reader.migration(bytes) }
  }

  // MARK: The link

  /// Where the value of `data` stands.
  private mutating func data(_ uri: Span<UInt8>) throws(OTPMigrationError) -> Range<Int> {
    guard uri.count <= OTPMigration.maximumBytes else {
      throw OTPMigrationError(.tooLong, "URI", at: OTPMigration.maximumBytes)
    }
    let space = Array(" \t\r\n".utf8)
    guard let first = uri.indices.first(where: { !space.contains(uri[$0]) }),
      let last = uri.indices.last(where: { !space.contains(uri[$0]) }),
      let colon = (first...last).first(where: { uri[$0] == UInt8(ascii: ":") })
    else { throw OTPMigrationError(.invalidURI, "scheme") }
    guard Self.isWord(uri, first..<colon, "otpauth-migration") else {
      throw OTPMigrationError(.unsupportedScheme, "scheme", at: first)
    }
    let end = last + 1
    guard end - colon >= 3, uri[colon + 1] == UInt8(ascii: "/"), uri[colon + 2] == UInt8(ascii: "/") else {
      throw OTPMigrationError(.invalidURI, "scheme", at: colon)
    }
    if let index = URIText.firstReserved(uri, first..<end) { throw OTPMigrationError(.invalidURI, "URI", at: index) }
    let question = ((colon + 3)..<end).first { uri[$0] == UInt8(ascii: "?") } ?? end
    // Some write the empty path as a slash.
    let hasSlash = uri[question - 1] == UInt8(ascii: "/") && question > colon + 3
    guard Self.isWord(uri, (colon + 3)..<(hasSlash ? question - 1 : question), "offline") else {
      throw OTPMigrationError(.unsupportedHost, "host", at: colon + 3)
    }
    return try parameter(uri, min(question + 1, end)..<end)
  }

  private mutating func parameter(_ uri: Span<UInt8>, _ query: Range<Int>) throws(OTPMigrationError) -> Range<Int> {
    var data: Range<Int>?
    var start = query.lowerBound
    while start < query.upperBound {
      let end = (start..<query.upperBound).first { uri[$0] == UInt8(ascii: "&") } ?? query.upperBound
      let equals = (start..<end).first { uri[$0] == UInt8(ascii: "=") } ?? end
      if Self.isWord(uri, start..<equals, "data") {
        guard data == nil else { throw OTPMigrationError(.duplicateData, "data", at: start) }
        data = min(equals + 1, end)..<end
      } else if start < end {
        skippedFields += 1
      }
      start = end + 1
    }
    guard let data, !data.isEmpty else { throw OTPMigrationError(.missingData, "data", at: query.upperBound) }
    return data
  }

  /// Whether our own word stands there, in any case.
  private static func isWord(_ uri: Span<UInt8>, _ range: Range<Int>, _ word: StaticString) -> Bool {
    range.map { uri[$0].asciiLowercased } == Array(word.description.utf8)
  }

  // MARK: The message

  private mutating func migration(_ bytes: Span<UInt8>) throws(OTPMigrationError) -> OTPMigration {
    var fields = ProtobufReader(bytes.indices)
    var numbers: [UInt64: Int64] = [:]
    let names: [UInt64: Field] = [2: "version", 3: "batch_size", 4: "batch_index", 5: "batch_id"]
    while let field = try fields.next(bytes, "MigrationPayload") {
      if field.number == 1 {
        guard case .bytes(let range) = field.value else {
          throw OTPMigrationError(.wrongWireType, "otp_parameters", at: field.offset)
        }
        guard entries.count < OTPMigration.maximumKeys else {
          throw OTPMigrationError(.tooManyKeys, "otp_parameters", at: field.offset)
        }
        entries.append(OTPMigration.Entry(try key(bytes, range)))
      } else if let name = names[field.number] {
        guard case .varint(let value) = field.value else {
          throw OTPMigrationError(.wrongWireType, name, at: field.offset)
        }
        guard numbers.updateValue(Int64(bitPattern: value), forKey: field.number) == nil else {
          throw OTPMigrationError(.duplicateField, name, at: field.offset)
        }
      } else {
        skippedFields += 1
      }
    }
    // What is not written is 0, and an export of one part has no need to say so.
    let size = numbers[3, default: 0] == 0 ? 1 : numbers[3, default: 0]
    guard let version = Int32(exactly: numbers[2, default: 0]), let id = Int32(exactly: numbers[5, default: 0]),
      let size = Int(exactly: size), let index = Int(exactly: numbers[4, default: 0])
    else { throw OTPMigrationError(.invalidBatch, "batch_index") }
    let part = try OTPMigration.Part(version: version, size: size, index: index, id: id)
    return try OTPMigration(entries, part: part, skippedFields: skippedFields)
  }

  // MARK: A key

  /// What was read of the fields of a key.
  private struct Fields {
    var secret: Range<Int>?
    var name: UTF8Text = ""
    var issuer: UTF8Text = ""
    /// The numbers of algorithm, digits, type and counter, with their places.
    var numbers: [UInt64: (value: UInt64, offset: Int)] = [:]
  }

  private static let names: [UInt64: Field] = [
    1: "secret", 2: "name", 3: "issuer", 4: "algorithm", 5: "digits", 6: "type", 7: "counter",
  ]

  private mutating func key(_ bytes: Span<UInt8>, _ range: Range<Int>) throws(OTPMigrationError) -> OTPKey {
    var reader = ProtobufReader(range)
    var seen: Set<UInt64> = []
    var fields = Fields()
    while let field = try reader.next(bytes, "OtpParameters") {
      guard let name = Self.names[field.number] else {
        skippedFields += 1
        continue
      }
      guard seen.insert(field.number).inserted else {
        throw OTPMigrationError(.duplicateField, name, at: field.offset)
      }
      switch (field.number, field.value) {
      case (1, .bytes(let range)): fields.secret = range
      case (2, .bytes(let range)): fields.name = try Self.text(bytes, range, name)
      case (3, .bytes(let range)): fields.issuer = try Self.text(bytes, range, name)
      case (4..., .varint(let value)): fields.numbers[field.number] = (value, field.offset)
      default: throw OTPMigrationError(.wrongWireType, name, at: field.offset)
      }
    }
    return try Self.key(bytes, fields, at: range.lowerBound)
  }

  private static func text(
    _ bytes: Span<UInt8>, _ range: Range<Int>, _ name: Field
  ) throws(OTPMigrationError) -> UTF8Text {
    guard let text = UTF8Text(validating: bytes.extracting(range)) else {
      throw OTPMigrationError(.invalidUTF8, name, at: range.lowerBound)
    }
    guard !OTPLabel.hasControlCharacter(text) else {
      throw OTPMigrationError(.controlCharacter, name, at: range.lowerBound)
    }
    return OTPLabel.trimmed(text)
  }

  private static func key(
    _ bytes: Span<UInt8>, _ fields: Fields, at offset: Int
  ) throws(OTPMigrationError) -> OTPKey {
    guard let secret = fields.secret, !secret.isEmpty else {
      throw OTPMigrationError(.emptySecret, "secret", at: offset)
    }
    guard secret.count <= HOTP.maximumSecretBytes else { throw OTPMigrationError(.longSecret, "secret", at: offset) }
    func number(_ field: UInt64) -> (value: UInt64, offset: Int) { fields.numbers[field] ?? (0, offset) }
    let algorithm: OTPAlgorithm
    switch number(4).value {
    case 0, 1: algorithm = .sha1
    case 2: algorithm = .sha256
    case 3: algorithm = .sha512
    default: throw OTPMigrationError(.unsupportedAlgorithm, "algorithm", at: number(4).offset)
    }
    let digits: Int
    switch number(5).value {
    case 0, 1: digits = 6
    case 2: digits = 8
    default: throw OTPMigrationError(.unsupportedDigits, "digits", at: number(5).offset)
    }
    let factor: OTPKey.Factor
    switch number(6).value {
    case 0, 2: factor = .time(period: 30)
    case 1:
      let counter = number(7)
      guard counter.value <= UInt64(Int64.max) else {
        throw OTPMigrationError(.invalidCounter, "counter", at: counter.offset)
      }
      factor = .counter(counter.value)
    default: throw OTPMigrationError(.unsupportedType, "type", at: number(6).offset)
    }
    let (issuer, account) = names(fields)
    return OTPKey(
      issuer: issuer, account: account, checked: SecretBytes(copying: bytes.extracting(secret)), algorithm: algorithm,
      digits: digits, factor: factor, encoder: .decimal)
  }

  /// Apps write the name as an account alone, or after the issuer and a colon.
  private static func names(_ fields: Fields) -> (issuer: UTF8Text?, account: UTF8Text) {
    let name = fields.name.utf8
    let colon = UInt8(ascii: ":")
    if fields.issuer.isEmpty {
      guard let place = name.firstIndex(of: colon) else { return (nil, fields.name) }
      let issuer = OTPLabel.trimmed(UTF8Text(unchecked: Array(name[..<place])))
      return (
        issuer.isEmpty ? nil : issuer, OTPLabel.trimmed(UTF8Text(unchecked: Array(name[(place + 1)...])))
      )
    }
    let prefix = fields.issuer.utf8 + [colon]
    guard name.starts(with: prefix) else { return (fields.issuer, fields.name) }
    return (fields.issuer, OTPLabel.trimmed(UTF8Text(unchecked: Array(name[prefix.count...]))))
  }
}
