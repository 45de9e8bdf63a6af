public import AssayCodec

// KeyDescription ::= SEQUENCE { attestationVersion INTEGER, attestationSecurityLevel SecurityLevel,
//                               keymasterVersion INTEGER, keymasterSecurityLevel SecurityLevel,
//                               attestationChallenge OCTET STRING, uniqueId OCTET STRING,
//                               softwareEnforced AuthorizationList, teeEnforced AuthorizationList }
// SecurityLevel  ::= ENUMERATED { Software(0), TrustedEnvironment(1), StrongBox(2) }
// RootOfTrust    ::= SEQUENCE { verifiedBootKey OCTET STRING, deviceLocked BOOLEAN,
//                               verifiedBootState ENUMERATED { Verified(0), SelfSigned(1), Unverified(2), Failed(3) },
//                               verifiedBootHash OCTET STRING OPTIONAL }
//
// An AuthorizationList is a SEQUENCE of explicitly tagged elements, each there at most once. Android adds some with every
// version, so those that are not needed are skipped, and the version is no more than a number.

/// What Android's key store says of a key, in an extension of the key's certificate ("Key and ID Attestation").
///
/// Reading one proves nothing: whether to believe it depends on who made the certificate.
public struct AndroidKeyDescription: Hashable, Sendable {
  /// Where something is done.
  public enum SecurityLevel: Hashable, Sendable, CaseIterable {
    /// In Android itself.
    case software
    /// In the trusted execution environment of the main processor.
    case trustedEnvironment
    /// In a secure processor of its own.
    case strongBox
  }

  /// The version of this description: 1 to 4 of Keymaster, then 100, 200 and so on of KeyMint.
  public let attestationVersion: UInt64
  /// Where this description was made.
  public let attestationSecurityLevel: SecurityLevel
  /// The version of what keeps the key, Keymaster or KeyMint.
  public let keymasterVersion: UInt64
  /// Where the key is kept.
  public let keymasterSecurityLevel: SecurityLevel
  /// The challenge for which it was made. In a registration, the hash of the client data.
  public let attestationChallenge: [UInt8]
  /// What the system enforces.
  public let softwareEnforced: Authorizations
  /// What the secure hardware enforces.
  public let teeEnforced: Authorizations

  /// The largest extension read, in bytes.
  public static let maximumBytes = 1 << 13

  /// Reads the value of the certificate extension 1.3.6.1.4.1.11129.2.1.17, all of it.
  ///
  /// - Throws: `CodecError`, its field that of Android's schema.
  public init(_ der: Span<UInt8>) throws(CodecError) {
    guard der.count <= Self.maximumBytes else { throw CodecError(.tooLarge, "KeyDescription", at: 0) }
    self = try ByteReader.readAll(der, "KeyDescription") { (reader) throws(CodecError) in
      try reader.readDER(.sequence, "KeyDescription") { (reader) throws(CodecError) in
        try AndroidKeyDescription(reader: &reader)
      }
    }
  }

  private init(reader: inout ByteReader) throws(CodecError) {
    attestationVersion = try reader.numberDER("attestationVersion")
    attestationSecurityLevel = try reader.choiceDER("attestationSecurityLevel")
    keymasterVersion = try reader.numberDER("keymasterVersion")
    keymasterSecurityLevel = try reader.choiceDER("keymasterSecurityLevel")
    attestationChallenge = Array(copying: try reader.takeDER(.octetString, "attestationChallenge"))
    _ = try reader.takeDER(.octetString, "uniqueId")
    softwareEnforced = try reader.readDER(.sequence, "softwareEnforced") { (reader) throws(CodecError) in
      try Authorizations(reader: &reader, "softwareEnforced")
    }
    teeEnforced = try reader.readDER(.sequence, "teeEnforced") { (reader) throws(CodecError) in
      try Authorizations(reader: &reader, "teeEnforced")
    }
  }
}

extension AndroidKeyDescription {
  /// What one side enforces for the key and knows of the device, as far as a relying party may want it. Nil: it does not
  /// say.
  public struct Authorizations: Hashable, Sendable {
    /// What the key may be used for; 2 is signing.
    public private(set) var purpose: [UInt64]?
    /// Whether every application on the device may use the key.
    public private(set) var allApplications = false
    /// Where the key is from; 0 says that it was generated inside.
    public private(set) var origin: UInt64?
    /// How the device was started.
    public private(set) var rootOfTrust: RootOfTrust?
    /// The version of Android, such as 140000.
    public private(set) var osVersion: UInt64?
    /// The month of Android's security patches, such as 202609.
    public private(set) var osPatchLevel: UInt64?
    /// The day, or month, of the maker's security patches, such as 20260905.
    public private(set) var vendorPatchLevel: UInt64?
    /// The day, or month, of the kernel's security patches, such as 20260905.
    public private(set) var bootPatchLevel: UInt64?

    /// The most elements in a list.
    public static let maximumElements = 64
    /// The most purposes of a key.
    public static let maximumPurposes = 16

    init(reader: inout ByteReader, _ list: Field) throws(CodecError) {
      var seen: Set<Int> = []
      while reader.remaining > 0 {
        let start = reader.offset
        guard seen.count < Self.maximumElements else { throw reader.fault(.tooLarge, list) }
        let number = try reader.readExplicitDER(list) { (number, reader) throws(CodecError) in
          try read(number, &reader, list)
          return number
        }
        guard seen.insert(number).inserted else { throw CodecError(.duplicateKey, list, at: start) }
      }
    }

    private mutating func read(_ number: Int, _ reader: inout ByteReader, _ list: Field) throws(CodecError) {
      switch number {
      case 1: purpose = try Self.purposes(&reader)
      case 600:
        try reader.nullDER("allApplications")
        allApplications = true
      case 702: origin = try reader.numberDER("origin")
      case 704:
        rootOfTrust = try reader.readDER(.sequence, "rootOfTrust") { (reader) throws(CodecError) in
          try RootOfTrust(reader: &reader)
        }
      case 705: osVersion = try reader.numberDER("osVersion")
      case 706: osPatchLevel = try reader.numberDER("osPatchLevel")
      case 718: vendorPatchLevel = try reader.numberDER("vendorPatchLevel")
      case 719: bootPatchLevel = try reader.numberDER("bootPatchLevel")
      default: try reader.skipRest(list)
      }
    }

    private static func purposes(_ reader: inout ByteReader) throws(CodecError) -> [UInt64] {
      try reader.readDER(.set, "purpose") { (reader) throws(CodecError) in
        var purposes: [UInt64] = []
        while reader.remaining > 0 {
          guard purposes.count < maximumPurposes else { throw reader.fault(.tooLarge, "purpose") }
          purposes.append(try reader.numberDER("purpose"))
        }
        return purposes
      }
    }
  }

  /// How the device was started ("Verified Boot").
  public struct RootOfTrust: Hashable, Sendable {
    /// How far what was started had been checked.
    public enum BootState: Hashable, Sendable, CaseIterable {
      /// All of it, with the maker's key.
      case verified
      /// All of it, with a key that the device's owner has set.
      case selfSigned
      /// Nothing: the device is unlocked.
      case unverified
      /// It failed its check.
      case failed
    }

    /// The key with which the system was checked, or its digest.
    public let verifiedBootKey: [UInt8]
    /// Whether the boot loader is locked, so that it starts only what was signed.
    public let deviceLocked: Bool
    /// How far what was started had been checked.
    public let verifiedBootState: BootState
    /// The digest of all that was checked; nil in descriptions of versions 1 and 2.
    public let verifiedBootHash: [UInt8]?

    init(reader: inout ByteReader) throws(CodecError) {
      verifiedBootKey = Array(copying: try reader.takeDER(.octetString, "verifiedBootKey"))
      deviceLocked = try reader.booleanDER("deviceLocked")
      verifiedBootState = try reader.choiceDER("verifiedBootState")
      let hasHash = reader.isNext(.octetString)
      verifiedBootHash = hasHash ? Array(copying: try reader.takeDER(.octetString, "verifiedBootHash")) : nil
    }
  }
}

extension ByteReader {
  /// Reads an ENUMERATED, and nothing else, whose values count from 0 in the order of the cases.
  fileprivate mutating func choiceDER<T: CaseIterable>(_ field: Field) throws(CodecError) -> T {
    let contents = try takeDER(.enumerated, field)
    let start = offset - contents.count
    guard contents.count == 1 else { throw CodecError(.invalidLength, field, at: start) }
    guard let choice = Array(T.allCases.dropFirst(Int(contents[0]))).first else {
      throw CodecError(.invalidValue, field, at: start)
    }
    return choice
  }
}
