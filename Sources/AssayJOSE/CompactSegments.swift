internal import AssayCodec

/// A compact serialisation taken apart, and nothing of it verified (RFC 7515, 7.1).
///
/// Accepted is `header "." payload "." signature`: exactly two dots, each segment strict base64url (so every byte of a
/// token is significant and ASCII), and a header that is one JSON object without duplicate names. The payload and the
/// signature may be any bytes, also none. Where unencoded payloads are allowed and the header has `b64` false, the payload is
/// what stands there: spaces and printable ASCII but the dot (RFC 7797, 5.2).
struct CompactSegments {
  /// The deepest nesting of a header or of claims, counting the outer object as 1.
  static let maximumDepth = 32

  let header: JSONObject
  let payload: [UInt8]
  let signature: [UInt8]
  /// How many bytes of the token, from its first, the signature covers: both segments and the dot between them.
  let signingInputCount: Int

  init(_ token: Span<UInt8>, maximumBytes: Int, allowUnencodedPayload: Bool = false) throws(JWTError) {
    guard token.count <= maximumBytes else { throw JWTError(.tooLarge(limit: maximumBytes), .size) }
    let (first, second) = try Self.dots(of: token)
    // A long token has a long payload. Its header is read before anyone is known to have signed it.
    guard first <= JWS.maximumTokenBytes else {
      throw JWTError(.tooLarge(limit: JWS.maximumTokenBytes), .size, "header")
    }
    header = try Self.object(try Self.bytes(of: token, 0..<first, "header"), "header", .header)
    if allowUnencodedPayload, header[HeaderName.b64] == false {
      payload = Array(copying: token.extracting(first + 1..<second))
      guard payload.allSatisfy({ (0x20...0x7E).contains($0) }) else { throw JWTError(.notCompact, .shape, "payload") }
    } else {
      payload = try Self.bytes(of: token, first + 1..<second, "payload")
    }
    signature = try Self.bytes(of: token, second + 1..<token.count, "signature")
    signingInputCount = second
  }

  /// Where the two dots are. Looking stops at the fifth, which no kind of token has.
  private static func dots(of token: Span<UInt8>) throws(JWTError) -> (Int, Int) {
    var dots = (0, 0)
    var count = 0
    for index in token.indices where token[index] == UInt8(ascii: ".") {
      count += 1
      switch count {
      case 1: dots.0 = index
      case 2: dots.1 = index
      case 5: throw JWTError(.notCompact, .shape)
      default: break
      }
    }
    guard count == 2 else { throw JWTError(count == 4 ? .encrypted : .notCompact, .shape) }
    return dots
  }

  private static func bytes(
    of token: Span<UInt8>, _ range: Range<Int>, _ field: Field
  ) throws(JWTError) -> [UInt8] {
    do throws(CodecError) {
      return try Base64URL.decode(token.extracting(range), field: field, base: range.lowerBound)
    } catch {
      throw JWTError(.malformed(error), .shape, field)
    }
  }

  /// The JSON object in a decoded segment.
  static func object(_ bytes: [UInt8], _ field: Field, _ step: JWTError.Step) throws(JWTError) -> JSONObject {
    let limits = JSONLimits(maximumBytes: bytes.count, maximumDepth: maximumDepth)
    let value: JSONValue
    do throws(CodecError) {
      value = try JSONValue.decode(bytes.span, limits: limits)
    } catch {
      throw JWTError(.malformed(error), step, field)
    }
    guard let object = value.object else { throw JWTError(.notAnObject, step, field) }
    return object
  }
}
