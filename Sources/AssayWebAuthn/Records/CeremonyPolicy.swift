internal import AssayCodec
internal import AssayCrypto

/// What both ceremonies fix when they begin, and demand when they finish.
struct CeremonyPolicy: Hashable, Sendable {
  let challenge: [UInt8]
  let rpId: UTF8Text
  let origins: [UTF8Text]
  let crossOrigin: CrossOriginUse
  let userVerification: UserVerification
  let conformance: CeremonyConformance
  let expiresAt: UnixTime

  /// The shortest challenge, in bytes (WebAuthn L3, 13.4.3).
  static let minimumChallengeBytes = 16
  /// The longest: clients refuse those of a kilobyte.
  static let maximumChallengeBytes = 512
  static let defaultChallengeBytes = 32
  static let lifetimes: ClosedRange<Int64> = 1...86_400

  init(
    of rp: RelyingParty, challenge: [UInt8]?, userVerification: UserVerification, conformance: CeremonyConformance,
    lifetime: Int64, at now: UnixTime
  ) throws(WebAuthnError) {
    guard Self.lifetimes.contains(lifetime) else { throw WebAuthnError(.invalidOption, "lifetime") }
    self.challenge = if let challenge { challenge } else { try Self.randomChallenge() }
    guard (Self.minimumChallengeBytes...Self.maximumChallengeBytes).contains(self.challenge.count) else {
      throw WebAuthnError(.invalidOption, "challenge")
    }
    rpId = rp.id
    origins = rp.origins + rp.relatedOrigins
    crossOrigin = rp.crossOrigin
    self.userVerification = userVerification
    self.conformance = conformance
    expiresAt = now.adding(seconds: lifetime)
  }

  init(from record: inout RecordReader) throws(WebAuthnError) {
    challenge = try record.bytes("challenge")
    guard challenge.count >= Self.minimumChallengeBytes else { throw WebAuthnError(.malformedRecord, "challenge") }
    rpId = try record.text("rpId")
    origins = try record.list("origins", of: \.text)
    crossOrigin =
      record.isNull("topOrigins") ? .refused : .allowed(topOrigins: try record.list("topOrigins", of: \.text))
    userVerification = try record.word("userVerification")
    conformance = try record.word("conformance")
    expiresAt = UnixTime(try record.integer("expiresAt"))
  }

  func write(to record: inout RecordWriter) {
    record.put("challenge", .bytes(challenge))
    record.put("rpId", .text(rpId))
    record.put("origins", texts: origins)
    switch crossOrigin {
    case .refused: record.put("topOrigins", .null)
    case .allowed(let topOrigins): record.put("topOrigins", texts: topOrigins)
    }
    record.put("userVerification", .text(userVerification.word))
    record.put("conformance", .text(conformance.word))
    record.put("expiresAt", CBORValue(expiresAt.seconds))
  }

  private static func randomChallenge() throws(WebAuthnError) -> [UInt8] {
    do throws(CryptoError) {
      return try Random.bytes(defaultChallengeBytes)
    } catch {
      throw WebAuthnError(.unavailable, "challenge")
    }
  }

  // MARK: What finishing asks

  /// Refuses a ceremony that another relying party began, or that was begun too long ago.
  func checkIsOpen(for rp: RelyingParty, at now: UnixTime) throws(WebAuthnError) {
    guard rp.id == rpId else { throw WebAuthnError(.wrongRelyingParty, "rpId") }
    guard now < expiresAt else { throw WebAuthnError(.expired, "expiresAt") }
  }

  /// Whether the client data's challenge is the one base64url text of this ceremony's.
  func isChallenge(_ text: UTF8Text) -> Bool {
    let expected = Base64URL.encode(challenge.span)
    return constantTimeEqual(text.utf8.span, expected.utf8.span)
  }

  /// Whether the client data's `origin` is one of the relying party's.
  func allowsOrigin(_ origin: UTF8Text) -> Bool { origins.contains { Origin.matches(origin, $0) } }

  /// Whether the client data's `crossOrigin` is allowed.
  func allowsCrossOrigin(_ crossOrigin: Bool?) -> Bool { crossOrigin != true || self.crossOrigin != .refused }

  /// Whether the client data's `topOrigin` is allowed: it belongs to `crossOrigin` only, and must be listed.
  func allowsTopOrigin(_ topOrigin: UTF8Text?, crossOrigin: Bool?) -> Bool {
    guard let topOrigin else { return true }
    guard crossOrigin == true, case .allowed(let topOrigins) = self.crossOrigin else { return false }
    return topOrigins.contains { Origin.matches(topOrigin, $0) }
  }

  /// Whether `hash` is the SHA-256 of the relying party's id.
  func isRPIDHash(_ hash: [UInt8]) throws(WebAuthnError) -> Bool {
    hash == (try SHA256.hash(rpId.utf8.span))
  }
}

/// SHA-256 with this module's errors.
enum SHA256 {
  static func hash(_ bytes: Span<UInt8>) throws(WebAuthnError) -> [UInt8] {
    do throws(CryptoError) {
      return try Digest.sha256.hash(bytes)
    } catch {
      throw WebAuthnError(.unavailable, "SHA-256")
    }
  }
}
