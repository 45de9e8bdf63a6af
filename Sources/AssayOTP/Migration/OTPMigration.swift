package import AssayCodec

/// The keys of an `otpauth-migration` link, which authenticator apps show as a QR code to hand all their keys to another
/// one, and a part of an export if they do not fit into one.
///
/// No standard describes it; the message within is that of Google Authenticator. Nothing in it is proven: the names are
/// whatever its maker wrote.
public struct OTPMigration: Sendable {
  /// The longest link that is read or written, in bytes: some five times what fits into a QR code.
  public static let maximumBytes = 16384
  /// The most keys of one link.
  public static let maximumKeys = 1000
  /// The most parts of an export.
  public static let maximumParts = 1000
  /// How many keys Google Authenticator puts into one QR code.
  public static let keysPerPart = 10

  /// One key, which can be shared where a key itself, having one owner, cannot.
  public final class Entry: Sendable, CustomStringConvertible, CustomReflectable {
    /// The key.
    public let key: OTPKey

    /// Takes a key.
    public init(_ key: consuming OTPKey) { self.key = key }

    /// That there is a key, and nothing of it.
    public var description: String { "key of one-time codes" }

    /// Nothing, so that `dump` does not show the key either.
    public var customMirror: Mirror { Mirror(self, children: []) }
  }

  /// Which part of which export a link is.
  public struct Part: Hashable, Sendable {
    /// The version of the format: 1 or 2. It changes nothing here.
    public let version: Int32
    /// How many parts there are.
    public let size: Int
    /// Which one this is, from 0.
    public let index: Int
    /// What the parts of one export have in common.
    public let id: Int32

    /// A part. Throws `invalidBatch`.
    public init(version: Int32 = 1, size: Int, index: Int, id: Int32) throws(OTPMigrationError) {
      guard (1...OTPMigration.maximumParts).contains(size), (0..<size).contains(index) else {
        throw OTPMigrationError(.invalidBatch, "batch_index")
      }
      self.version = version
      self.size = size
      self.index = index
      self.id = id
    }
  }

  /// Something a person should know.
  @nonexhaustive
  public enum Warning: Hashable, Sendable, CaseIterable {
    /// There is no key in it.
    case noKeys
    /// The version is neither 1 nor 2.
    case unknownVersion
    /// A secret is shorter than `HOTP.minimumSecretBytes`.
    case weakSecret
  }

  /// The keys, in their order.
  public let entries: [Entry]
  /// Which part of which export this is.
  public let part: Part
  /// How many fields, or parameters of the link, have no meaning here. They had no influence on the keys.
  public let skippedFields: Int
  /// What a person should know, each kind once.
  public let warnings: [Warning]

  /// Takes keys, to write them with `uri()`. Throws `tooManyKeys`.
  public init(_ entries: [Entry], part: Part) throws(OTPMigrationError) {
    try self.init(entries, part: part, skippedFields: 0)
  }

  init(_ entries: [Entry], part: Part, skippedFields: Int) throws(OTPMigrationError) {
    guard entries.count <= Self.maximumKeys else { throw OTPMigrationError(.tooManyKeys, "otp_parameters") }
    self.entries = entries
    self.part = part
    self.skippedFields = skippedFields
    var warnings: [Warning] = []
    if entries.isEmpty { warnings.append(.noKeys) }
    if !(1...2).contains(part.version) { warnings.append(.unknownVersion) }
    if entries.contains(where: { $0.key.secret.count < HOTP.minimumSecretBytes }) { warnings.append(.weakSecret) }
    self.warnings = warnings
  }

  /// Reads a link. White space around it is dropped.
  ///
  /// Keys are as their app has them: what a field leaves open is SHA1, 6 digits, time-based; the period is always 30
  /// seconds. An issuer that only the name has, before a colon, is the issuer.
  ///
  /// - Parameter uri: The link. It holds the secrets; the caller wipes it.
  /// - Throws: The first fault, never with any part of the link. A key that cannot be read fails the whole link.
  public init(_ uri: Span<UInt8>) throws(OTPMigrationError) {
    self = try OTPMigrationReader.read(uri)
  }

  /// Divides keys into the parts of one export.
  ///
  /// - Parameters:
  ///   - entries: The keys.
  ///   - id: What the parts have in common: a random number, so that exports can be told apart.
  ///   - keysPerPart: How many keys go into one link, at least 1.
  /// - Throws: `noKeys`, `invalidBatch` if there would be too many parts, `tooManyKeys`.
  public static func parts(
    of entries: [Entry], id: Int32, keysPerPart: Int = keysPerPart
  ) throws(OTPMigrationError) -> [OTPMigration] {
    guard !entries.isEmpty, keysPerPart >= 1 else { throw OTPMigrationError(.noKeys, "otp_parameters") }
    let starts = Array(stride(from: 0, to: entries.count, by: keysPerPart))
    var parts: [OTPMigration] = []
    for (index, start) in starts.enumerated() {
      let keys = entries[start...].prefix(keysPerPart)
      parts.append(try OTPMigration(Array(keys), part: Part(size: starts.count, index: index, id: id)))
    }
    return parts
  }
}

extension OTPMigration.Warning: CustomStringConvertible {
  /// The name in our vectors and in the tool's output.
  package var name: UTF8Text {
    switch self {
    case .noKeys: "no_entries"
    case .unknownVersion: "unknown_version"
    case .weakSecret: "weak_secret"
    }
  }

  /// One line for a person.
  public var description: String {
    switch self {
    case .noKeys: "there is no key in it"
    case .unknownVersion: "the version of the format is not known: something may be missing"
    case .weakSecret: "a secret has fewer than \(HOTP.minimumSecretBytes * 8) bits"
    }
  }
}

/// Puts the parts of one export together, in whatever order they come.
public struct OTPMigrationAssembly: Sendable {
  private var parts: [Int: OTPMigration] = [:]
  private var first: OTPMigration.Part?

  /// Begins without any part.
  public init() {}

  /// Takes a part. Throws `otherBatch` if its id or the number of parts is another, `repeatedPart`; nothing is taken then.
  public mutating func add(_ migration: OTPMigration) throws(OTPMigrationError) {
    let part = migration.part
    if let first, first.id != part.id || first.size != part.size || first.version != part.version {
      throw OTPMigrationError(.otherBatch, "batch_id")
    }
    guard parts[part.index] == nil else { throw OTPMigrationError(.repeatedPart, "batch_index", at: part.index) }
    first = first ?? part
    parts[part.index] = migration
  }

  /// Which parts are missing, from 0; empty also if there is none yet.
  public var missing: [Int] { (0..<(first?.size ?? 0)).filter { parts[$0] == nil } }

  /// All keys, in the order of the parts. Throws `noKeys` without any part; `missingPart`.
  public func entries() throws(OTPMigrationError) -> [OTPMigration.Entry] {
    guard let first else { throw OTPMigrationError(.noKeys, "otp_parameters") }
    if let index = missing.first { throw OTPMigrationError(.missingPart, "batch_index", at: index) }
    return (0..<first.size).flatMap { parts[$0]?.entries ?? [] }
  }
}
