internal import AssayCodec
internal import AssayCrypto

/// Reads `otpauth://type/label?parameters`, in the order: whole, scheme, type, parameters, then each parameter and the label.
struct OTPAuthReader {
  private let mode: OTPAuthURI.Mode
  private var values: [OTPAuthParameter: Range<Int>] = [:]
  private var others: [OTPAuthURI.Parameter] = []
  private var hasSteamFlag = false
  private var warnings: [OTPAuthURI.Warning] = []

  private init(_ mode: OTPAuthURI.Mode) { self.mode = mode }

  static func read(_ uri: Span<UInt8>, _ mode: OTPAuthURI.Mode) throws(OTPKeyError) -> OTPAuthURI {
    var reader = OTPAuthReader(mode)
    let parts = try reader.split(uri)
    let type = try reader.type(uri, parts.type)
    try reader.takeParameters(uri, parts.query)
    return try reader.key(uri, type, parts.label)
  }

  private mutating func warn(_ warning: OTPAuthURI.Warning) {
    if !warnings.contains(warning) { warnings.append(warning) }
  }

  // MARK: Parts

  private mutating func split(
    _ uri: Span<UInt8>
  ) throws(OTPKeyError) -> (type: Range<Int>, label: Range<Int>, query: Range<Int>) {
    guard uri.count <= OTPAuthURI.maximumBytes else { throw OTPKeyError(.tooLong, "URI", at: OTPAuthURI.maximumBytes) }
    let whole = try bounds(uri)
    guard let colon = whole.first(where: { uri[$0] == UInt8(ascii: ":") }) else {
      throw OTPKeyError(.invalidURI, "scheme", at: whole.lowerBound)
    }
    guard matches(uri, whole.lowerBound..<colon, "otpauth") else {
      throw OTPKeyError(.unsupportedScheme, "scheme", at: whole.lowerBound)
    }
    guard whole.upperBound - colon >= 3, uri[colon + 1] == UInt8(ascii: "/"), uri[colon + 2] == UInt8(ascii: "/") else {
      throw OTPKeyError(.invalidURI, "scheme", at: colon)
    }
    let rest = (colon + 3)..<whole.upperBound
    let typeEnd = rest.first { uri[$0] == UInt8(ascii: "/") || uri[$0] == UInt8(ascii: "?") } ?? rest.upperBound
    let labelEnd = (typeEnd..<rest.upperBound).first { uri[$0] == UInt8(ascii: "?") } ?? rest.upperBound
    let label = min(typeEnd + 1, labelEnd)..<labelEnd
    // Before the query `#` is data: issuers forget to escape it.
    let afterLabel = min(labelEnd + 1, rest.upperBound)..<rest.upperBound
    let query = afterLabel.lowerBound..<(afterLabel.first { uri[$0] == UInt8(ascii: "#") } ?? afterLabel.upperBound)
    if query.upperBound < rest.upperBound { warn(.fragment) }
    for part in [label, query] where URIText.firstReserved(uri, part) != nil { warn(.rawReserved) }
    return (rest.lowerBound..<typeEnd, label, query)
  }

  /// Strict mode refuses what is not a URI, lenient mode drops the white space around one.
  private mutating func bounds(_ uri: Span<UInt8>) throws(OTPKeyError) -> Range<Int> {
    let all = 0..<uri.count
    guard mode == .lenient else {
      if let index = URIText.firstReserved(uri, all) { throw OTPKeyError(.invalidURI, "URI", at: index) }
      return all
    }
    let space = Array(" \t\r\n".utf8)
    guard let first = all.first(where: { !space.contains(uri[$0]) }),
      let last = all.last(where: { !space.contains(uri[$0]) })
    else { throw OTPKeyError(.invalidURI, "URI") }
    if last - first + 1 < all.count { warn(.surroundingSpace) }
    return first..<(last + 1)
  }

  private enum KeyType { case time, counter, steam }

  private mutating func type(_ uri: Span<UInt8>, _ range: Range<Int>) throws(OTPKeyError) -> KeyType {
    if matches(uri, range, "totp") { return .time }
    if matches(uri, range, "hotp") { return .counter }
    if mode == .lenient, matches(uri, range, "steam") { return .steam }
    throw OTPKeyError(.unsupportedType, "type", at: range.lowerBound)
  }

  /// Whether our own word stands there; lenient mode takes it in any case.
  private mutating func matches(_ uri: Span<UInt8>, _ range: Range<Int>, _ word: StaticString) -> Bool {
    let found = Array(copying: uri.extracting(range))
    let word = Array(word.description.utf8)
    guard found != word else { return true }
    guard mode == .lenient, found.map(\.asciiLowercased) == word else { return false }
    warn(.letterCase)
    return true
  }

  // MARK: Parameters

  private mutating func takeParameters(_ uri: Span<UInt8>, _ query: Range<Int>) throws(OTPKeyError) {
    var start = query.lowerBound
    while start < query.upperBound {
      let end = (start..<query.upperBound).first { uri[$0] == UInt8(ascii: "&") } ?? query.upperBound
      if start < end { try takeParameter(uri, start..<end) }
      start = end + 1
    }
  }

  private mutating func takeParameter(_ uri: Span<UInt8>, _ range: Range<Int>) throws(OTPKeyError) {
    let equals = range.first { uri[$0] == UInt8(ascii: "=") }
    let name = try URIText.decoded(uri, range.lowerBound..<(equals ?? range.upperBound), "parameter name")
    let value = equals.map { ($0 + 1)..<range.upperBound } ?? range.upperBound..<range.upperBound
    guard let parameter = known(name) else {
      let other = OTPAuthURI.Parameter(name: name, value: try URIText.decoded(uri, value, "parameter value"))
      hasSteamFlag = hasSteamFlag || name == "steam" && other.value.isEmpty
      others.append(other)
      return
    }
    guard values[parameter] == nil else {
      throw OTPKeyError(.duplicateParameter, parameter.field, at: range.lowerBound)
    }
    guard parameter != .secret || equals != nil else {
      throw OTPKeyError(.missingSecret, "secret", at: range.lowerBound)
    }
    values[parameter] = value
  }

  private mutating func known(_ name: UTF8Text) -> OTPAuthParameter? {
    let exact = OTPAuthParameter.allCases.first { $0.name == name }
    guard mode == .lenient else { return exact == .encoder ? nil : exact }
    if let exact { return exact }
    let lowered = UTF8Text(unchecked: name.utf8.map(\.asciiLowercased))
    guard let match = OTPAuthParameter.allCases.first(where: { $0.name == lowered }) else { return nil }
    warn(.letterCase)
    return match
  }

  /// Where the value of a parameter stands; nil, with a warning, if it is empty.
  private mutating func range(of parameter: OTPAuthParameter) -> Range<Int>? {
    guard let range = values[parameter] else { return nil }
    guard !range.isEmpty else {
      warn(.emptyParameter)
      return nil
    }
    return range
  }

  /// A whole number in ASCII digits, or `absent` if there is no value.
  private mutating func number(
    _ parameter: OTPAuthParameter, in allowed: ClosedRange<UInt64>, else fault: OTPKeyError.Code, _ uri: Span<UInt8>
  ) throws(OTPKeyError) -> UInt64? {
    guard let range = range(of: parameter) else { return nil }
    var number: UInt64 = 0
    for byte in try URIText.decoded(uri, range, parameter.field).utf8 {
      let (tens, isTooLarge) = number.multipliedReportingOverflow(by: 10)
      let (sum, isStillTooLarge) = tens.addingReportingOverflow(UInt64(byte &- UInt8(ascii: "0")))
      guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte), !isTooLarge, !isStillTooLarge else {
        throw OTPKeyError(fault, parameter.field, at: range.lowerBound)
      }
      number = sum
    }
    guard allowed.contains(number) else { throw OTPKeyError(fault, parameter.field, at: range.lowerBound) }
    return number
  }

  // MARK: The key

  private mutating func key(
    _ uri: Span<UInt8>, _ type: KeyType, _ label: Range<Int>
  ) throws(OTPKeyError) -> OTPAuthURI {
    let secret = try secret(uri)
    let algorithm = try algorithm(uri)
    let names = try names(uri, label)
    let isSteam = try isSteam(uri, type, names.issuer)
    let digits = try digits(uri, isSteam: isSteam)
    let factor = try factor(uri, type)
    try check(names, label)
    let key = OTPKey(
      issuer: names.issuer, account: names.account, checked: secret, algorithm: algorithm, digits: digits,
      factor: factor, encoder: isSteam ? .steam : .decimal)
    return OTPAuthURI(key: key, labelIssuer: names.labelIssuer, otherParameters: others, warnings: warnings)
  }

  private mutating func secret(_ uri: Span<UInt8>) throws(OTPKeyError) -> SecretBytes {
    guard let range = values[.secret] else { throw OTPKeyError(.missingSecret, "secret", at: uri.count) }
    // Only here can a plus sign mean nothing but a space.
    var text = try URIText.unescaped(uri, range, "secret", plusIsSpace: true)
    defer { wipe(&text) }
    guard mode == .lenient else {
      let secret = try base32(text.span, at: range.lowerBound)
      try OTPKey.check(secret, allowShort: false, at: range.lowerBound)
      return secret
    }
    let reading: OTPSecret.Reading
    do throws(CodecError) {
      reading = try OTPSecret.read(text.span)
    } catch { throw OTPKeyError(.invalidSecret, "secret", at: range.lowerBound) }
    try OTPKey.check(reading.secret, allowShort: true, at: range.lowerBound)
    if reading.departures.contains(.nonCanonical) { warn(.noncanonicalSecret) }
    if reading.secret.count < HOTP.minimumSecretBytes { warn(.weakSecret) }
    return reading.secret.clone()
  }

  private func base32(_ text: Span<UInt8>, at offset: Int) throws(OTPKeyError) -> SecretBytes {
    do throws(CodecError) {
      return try Base32.decode(text, .unpadded)
    } catch { throw OTPKeyError(.invalidSecret, "secret", at: offset) }
  }

  private mutating func algorithm(_ uri: Span<UInt8>) throws(OTPKeyError) -> OTPAlgorithm {
    guard let range = range(of: .algorithm) else { return .sha1 }
    let name = try URIText.decoded(uri, range, "algorithm")
    if let algorithm = OTPAlgorithm(name: name) { return algorithm }
    if mode == .lenient, let algorithm = OTPAuthParameter.algorithm(alsoCalled: name) { return algorithm }
    throw OTPKeyError(.unsupportedAlgorithm, "algorithm", at: range.lowerBound)
  }

  private mutating func digits(_ uri: Span<UInt8>, isSteam: Bool) throws(OTPKeyError) -> Int {
    guard !isSteam else {
      let digits = try number(.digits, in: 5...UInt64(HOTP.digitsAllowed.upperBound), else: .invalidDigits, uri)
      if let digits, digits != 5 { warn(.irrelevantParameter) }
      return 5
    }
    let allowed = mode == .strict ? OTPAuthURI.strictDigits : HOTP.digitsAllowed
    let range = UInt64(allowed.lowerBound)...UInt64(allowed.upperBound)
    return try number(.digits, in: range, else: .invalidDigits, uri).flatMap { Int(exactly: $0) } ?? 6
  }

  private mutating func factor(_ uri: Span<UInt8>, _ type: KeyType) throws(OTPKeyError) -> OTPKey.Factor {
    if values[type == .counter ? .period : .counter] != nil { warn(.irrelevantParameter) }
    guard type == .counter else {
      let allowed = UInt64(TOTP.periodsAllowed.lowerBound)...UInt64(TOTP.periodsAllowed.upperBound)
      let period = try number(.period, in: allowed, else: .invalidPeriod, uri)
      return .time(period: period.flatMap { Int64(exactly: $0) } ?? 30)
    }
    if let counter = try number(.counter, in: 0...UInt64.max, else: .invalidCounter, uri) { return .counter(counter) }
    guard mode == .lenient else { throw OTPKeyError(.missingCounter, "counter", at: uri.count) }
    warn(.missingCounter)
    return .counter(0)
  }

  private mutating func isSteam(
    _ uri: Span<UInt8>, _ type: KeyType, _ issuer: UTF8Text?
  ) throws(OTPKeyError) -> Bool {
    if let range = range(of: .encoder) {
      let encoder = try URIText.decoded(uri, range, "encoder")
      guard encoder == "steam", type != .counter else {
        throw OTPKeyError(.unsupportedEncoder, "encoder", at: range.lowerBound)
      }
      return true
    }
    return mode == .lenient && (type == .steam || type == .time && (hasSteamFlag || issuer == "Steam"))
  }

  // MARK: Names

  private struct Names {
    let issuer: UTF8Text?
    let account: UTF8Text
    let labelIssuer: UTF8Text?
  }

  private mutating func names(_ uri: Span<UInt8>, _ range: Range<Int>) throws(OTPKeyError) -> Names {
    var parameters: [UTF8Text] = []
    if let value = self.range(of: .issuer) {
      for plusIsSpace in [false, true] {
        parameters.append(OTPLabel.trimmed(try URIText.decoded(uri, value, "issuer", plusIsSpace: plusIsSpace)))
      }
      if parameters.first == "" {
        warn(.emptyParameter)
        parameters = []
      }
    }
    let label = try OTPLabel(uri, range, issuers: parameters)
    guard let asWritten = parameters.first else {
      return Names(issuer: label.issuer, account: label.account, labelIssuer: nil)
    }
    if let issuer = label.issuer, issuer != asWritten {
      guard issuer == parameters.last else {
        return Names(issuer: asWritten, account: label.account, labelIssuer: issuer)
      }
      warn(.plusInQuery)
      return Names(issuer: issuer, account: label.account, labelIssuer: nil)
    }
    return Names(issuer: asWritten, account: label.account, labelIssuer: nil)
  }

  /// What Key-Uri-Format says of the names: an error in strict mode, a warning in lenient mode.
  private mutating func check(_ names: Names, _ range: Range<Int>) throws(OTPKeyError) {
    let colon = UInt8(ascii: ":")
    let found: [(Bool, OTPAuthURI.Warning, OTPKeyError.Code)] = [
      (names.account.isEmpty, .emptyAccount, .missingLabel),
      (names.issuer?.utf8.contains(colon) == true, .colonInIssuer, .colonInLabel),
      (names.account.utf8.contains(colon), .colonInAccount, .colonInLabel),
      (names.labelIssuer != nil, .issuerMismatch, .issuerMismatch),
    ]
    for (isThere, warning, fault) in found where isThere {
      guard mode == .lenient else { throw OTPKeyError(fault, "label", at: range.lowerBound) }
      warn(warning)
    }
  }
}
