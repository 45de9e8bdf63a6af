internal import AssayCodec
internal import AssayJOSE

/// A refused token, read again part by part as far as that goes, for showing. Nothing of it is true because it is here: every
/// value is as anyone may have written it.
struct RereadToken {
  private let bytes: [UInt8]
  /// The texts between the dots.
  let parts: [ArraySlice<UInt8>]
  /// The header, if it can be read.
  let header: JSONObject?
  /// The claims, if they can be read.
  let claims: JSONObject?

  init(_ token: [UInt8]) {
    bytes = token
    // What was too long to be read is not read again either.
    guard token.count <= JWS.maximumTokenBytes else {
      (parts, header, claims) = ([], nil, nil)
      return
    }
    parts = token.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    header = Self.object(parts.first)
    claims = Self.object(parts.dropFirst().first)
  }

  var byteCount: Int { bytes.count }

  /// How many bytes the signature has; nil if there is none that can be read.
  var signatureCount: Int? { parts.count == 3 ? Self.decoded(parts.last)?.count : nil }

  /// A header parameter or claim, wherever it stands; header first in the steps before the claims'.
  func member(_ name: UTF8Text, _ step: JWTError.Step) -> JSONValue? {
    step == .claims ? claims?[name] : header?[name]
  }

  /// The byte at an offset, for a person; no more of it, for whoever has a token can use it. Nil where the token ends.
  func character(at offset: Int) -> String? {
    bytes.indices.contains(offset) ? Shown.bytesAsText(bytes[offset...offset]) : nil
  }

  /// What stands around an offset in what a part of it encodes.
  func text(inPart part: Int, around offset: Int) -> String? {
    guard parts.indices.contains(part), let decoded = Self.decoded(parts[part]) else { return nil }
    return Self.shown(decoded, around: offset)
  }

  /// Whether it begins with these bytes, the case of letters aside.
  func begins(with word: StaticString) -> Bool {
    let word = Array("\(word)".utf8)
    return bytes.count >= word.count && zip(bytes, word).allSatisfy { $0 == $1 || $0 ^ 0x20 == $1 && $1 >= 0x41 }
  }

  private static func shown(_ bytes: [UInt8], around offset: Int) -> String {
    let start = max(0, min(offset, bytes.count) - 12)
    return (start > 0 ? "…" : "") + Shown.bytesAsText(bytes[start...].prefix(32))
  }

  private static func decoded(_ part: ArraySlice<UInt8>?) -> [UInt8]? {
    guard let part else { return nil }
    return try? Base64URL.decode(Array(part).span)
  }

  private static func object(_ part: ArraySlice<UInt8>?) -> JSONObject? {
    guard let decoded = decoded(part) else { return nil }
    let limits = JSONLimits(maximumBytes: decoded.count, maximumDepth: 32)
    return (try? JSONValue.decode(decoded.span, limits: limits))?.object
  }
}
