public import AssayCodec
public import AssayCrypto

/// Signs bytes (RFC 7515, 5.1), in every form. For claims use `JWTSigner`.
public struct JWSSigner: Sendable {
  private enum Key: Sendable {
    case signature(SigningKey)
    case mac(MACKey)
  }

  private let key: Key
  private let keyID: UTF8Text?

  /// Signs with `key`. `kid` is written into every header, so that verifiers with several keys find the right one.
  public init(key: SigningKey, kid: UTF8Text? = nil) {
    self.key = .signature(key)
    keyID = kid
  }

  /// Signs with a shared secret. Whoever verifies its signatures can also make them.
  public init(key: MACKey, kid: UTF8Text? = nil) {
    self.key = .mac(key)
    keyID = kid
  }

  /// The algorithm it signs by.
  public var algorithm: JWSAlgorithm {
    switch key {
    case .signature(let key): .signature(key.algorithm.inJOSE)
    case .mac(let key): .mac(key.algorithm)
    }
  }

  /// Signs in compact form (RFC 7515, 7.1).
  /// - Parameters:
  ///   - header: What stands in the header after `alg` and `kid`, which the signer writes, as it does `b64` and `crit`.
  ///   - detached: Leave the payload out: it travels apart (RFC 7515, appendix F).
  ///   - unencoded: Sign the payload as it is (RFC 7797). If it is not detached, it must be spaces and printable ASCII but
  ///     the dot, and not be changed on its way.
  public func signCompact(
    _ payload: [UInt8], header: JSONObject = [:], detached: Bool = false, unencoded: Bool = false
  ) throws(JWTError) -> UTF8Text {
    let isCarried = payload.allSatisfy { (0x20...0x7E).contains($0) && $0 != UInt8(ascii: ".") }
    guard !unencoded || detached || isCarried else { throw JWTError(.payloadNotCarried, .signing, "payload") }
    let text = unencoded ? payload : Base64URL.encode(payload.span).utf8
    let protected = try encodedHeader(header, unencoded: unencoded)
    let signature = try signature(protected + [UInt8(ascii: ".")] + text)
    let token =
      protected + [UInt8(ascii: ".")] + (detached ? [] : text) + [UInt8(ascii: ".")]
      + Base64URL.encode(signature.span).utf8
    guard token.count <= JWS.maximumTokenBytes else {
      throw JWTError(.tooLarge(limit: JWS.maximumTokenBytes), .size)
    }
    return UTF8Text(unchecked: token)
  }

  /// The signature of one signer in JSON form: `protected` and `signature`, and `header` if there is one.
  fileprivate func member(
    _ text: [UInt8], _ header: JSONObject, _ unprotected: JSONObject, unencoded: Bool
  ) throws(JWTError) -> JSONObject {
    let protected = try encodedHeader(header, unencoded: unencoded)
    for member in unprotected.members where header[member.name] != nil || Self.isOwn(member.name) {
      throw JWTError(.reserved, .signing, "header")
    }
    let signature = try signature(protected + [UInt8(ascii: ".")] + text)
    var member: JSONObject = ["protected": .string(UTF8Text(unchecked: protected))]
    if !unprotected.members.isEmpty { member["header"] = .object(unprotected) }
    member["signature"] = .string(Base64URL.encode(signature.span))
    return member
  }

  private static func isOwn(_ name: UTF8Text) -> Bool {
    [HeaderName.alg, HeaderName.kid, HeaderName.b64, HeaderName.crit].contains(name)
  }

  private func encodedHeader(_ further: JSONObject, unencoded: Bool) throws(JWTError) -> [UInt8] {
    var header: JSONObject = [HeaderName.alg: .string(algorithm.joseName)]
    header[HeaderName.kid] = keyID.map(JSONValue.string)
    for member in further.members {
      guard !Self.isOwn(member.name) else { throw JWTError(.reserved, .signing, "header") }
      header[member.name] = member.value
    }
    if unencoded {
      header[HeaderName.b64] = false
      header[HeaderName.crit] = [.string(HeaderName.b64)]
    }
    let encoded = JSONValue.object(header).encoded()
    // What is signed is what our reader reads back from the bytes.
    _ = try CompactSegments.object(encoded, "header", .header)
    return Base64URL.encode(encoded.span).utf8
  }

  private func signature(_ signingInput: [UInt8]) throws(JWTError) -> [UInt8] {
    do throws(CryptoError) {
      return switch key {
      case .signature(let key): try key.sign(signingInput.span, ecdsa: .fixedWidth)
      case .mac(let key): try key.tag(for: signingInput.span)
      }
    } catch {
      throw JWTError(.signingFailed, .signing)
    }
  }
}

extension JWS {
  /// One who signs a JWS in JSON form, with what stands in the headers of that signature.
  public struct JSONSigner: Sendable {
    /// Who signs.
    public let signer: JWSSigner
    /// What stands in the protected header after `alg` and `kid`.
    public let header: JSONObject
    /// What stands in the unprotected header, which nobody signs.
    public let unprotectedHeader: JSONObject

    /// Names a signer and its headers.
    public init(_ signer: JWSSigner, header: JSONObject = [:], unprotectedHeader: JSONObject = [:]) {
      self.signer = signer
      self.header = header
      self.unprotectedHeader = unprotectedHeader
    }
  }

  /// Signs in general JSON form (RFC 7515, 7.2.1), once for each signer: 1 to `JWSPolicy.maximumSignatures`.
  /// - Parameters:
  ///   - detached: Leave the payload out: it travels apart (RFC 7515, appendix F).
  ///   - unencoded: Sign the payload as it is (RFC 7797). If it is not detached, it must be UTF-8.
  public static func signGeneral(
    _ payload: [UInt8], by signers: [JSONSigner], detached: Bool = false, unencoded: Bool = false
  ) throws(JWTError) -> JSONObject {
    guard !signers.isEmpty else { throw JWTError(.noSignatures, .signing) }
    guard signers.count <= JWSPolicy.maximumSignatures else {
      throw JWTError(.tooManySignatures(limit: JWSPolicy.maximumSignatures), .signing)
    }
    let (text, object) = try started(payload, detached: detached, unencoded: unencoded)
    var signatures: [JSONValue] = []
    for one in signers {
      signatures.append(
        .object(try one.signer.member(text, one.header, one.unprotectedHeader, unencoded: unencoded)))
    }
    var general = object
    general["signatures"] = .array(signatures)
    return general
  }

  /// Signs in flattened JSON form (RFC 7515, 7.2.2). Otherwise as in the general one.
  public static func signFlattened(
    _ payload: [UInt8], by one: JSONSigner, detached: Bool = false, unencoded: Bool = false
  ) throws(JWTError) -> JSONObject {
    let (text, object) = try started(payload, detached: detached, unencoded: unencoded)
    var flattened = object
    for member in try one.signer.member(text, one.header, one.unprotectedHeader, unencoded: unencoded).members {
      flattened[member.name] = member.value
    }
    return flattened
  }

  /// The text that is signed, and the object with it as its payload.
  private static func started(
    _ payload: [UInt8], detached: Bool, unencoded: Bool
  ) throws(JWTError) -> (text: [UInt8], object: JSONObject) {
    let text = unencoded ? payload : Base64URL.encode(payload.span).utf8
    guard !detached else { return (text, [:]) }
    guard let member = UTF8Text(validating: text.span) else {
      throw JWTError(.payloadNotCarried, .signing, "payload")
    }
    return (text, ["payload": .string(member)])
  }
}
