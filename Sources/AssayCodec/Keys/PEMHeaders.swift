/// The headers of RFC 1421 that the traditional PEM of OpenSSL puts before encrypted contents.
///
///     Proc-Type: 4,ENCRYPTED
///     DEK-Info: AES-128-CBC,D37105996351DFE96D80733291F73E07
///
/// Words are told by white space, so that a lost line end changes nothing.
struct PEMHeaders {
  /// How the contents are encrypted; nil if they are not.
  private(set) var encryption: EncryptedKey.Scheme?
  /// Where the base64 begins.
  private(set) var end = 0

  init(_ body: Span<UInt8>) throws(KeyError) {
    guard Self.take("Proc-Type:", from: body, &end) else { return }
    guard Self.word(of: body, &end).isEqual(to: "4,ENCRYPTED") else { return }
    guard Self.take("DEK-Info:", from: body, &end) else { throw KeyError(.invalid("DEK-Info", .missing)) }
    encryption = try Self.scheme(Self.word(of: body, &end))
  }

  /// Reads `CIPHER,IV`, with the initialisation vector in hexadecimal.
  private static func scheme(_ value: Span<UInt8>) throws(KeyError) -> EncryptedKey.Scheme {
    guard let comma = value.indices.first(where: { value[$0] == UInt8(ascii: ",") }) else {
      throw KeyError(.invalid("DEK-Info", .malformed))
    }
    let name = value.extracting(0..<comma)
    guard let cipher = EncryptedKey.Cipher.allCases.first(where: { name.isEqual(to: $0.traditionalName) }) else {
      throw KeyError(.unsupported(what: "the cipher that encrypts this key (DEK-Info)"))
    }
    guard let iv = try? Base16.decode(value.extracting((comma + 1)..<value.count), .anyCase),
      iv.count == cipher.blockByteCount
    else { throw KeyError(.invalid("DEK-Info", .invalidValue)) }
    return EncryptedKey.Scheme(derivation: .traditional(salt: Array(iv.prefix(8))), cipher: cipher, iv: iv)
  }

  private static func take(_ name: StaticString, from body: Span<UInt8>, _ position: inout Int) -> Bool {
    let start = firstOfWord(body, from: position)
    guard body.extracting(start..<body.count).hasPrefix(name) else { return false }
    position = start + name.utf8CodeUnitCount
    return true
  }

  @_lifetime(copy body)
  private static func word(of body: Span<UInt8>, _ position: inout Int) -> Span<UInt8> {
    let start = firstOfWord(body, from: position)
    var end = start
    while end < body.count, body[end] > 0x20 { end += 1 }
    position = end
    return body.extracting(start..<end)
  }

  private static func firstOfWord(_ body: Span<UInt8>, from position: Int) -> Int {
    var start = position
    while start < body.count, body[start] <= 0x20 { start += 1 }
    return start
  }
}
