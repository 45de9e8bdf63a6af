public import AssayCodec

// A payload is large, and little of it is ever asked for: of some five hundred entries a sign-up needs one. It is read once
// by the strict rules of JSON, and of each entry only where it stands and what names it is taken. The entry itself is read
// when someone asks for it, so that one which does not follow the specification spoils no other. Only an AAGUID or AAID that
// is none spoils all: what its entry says against a model would not be found. Key identifiers that are none do not, since
// FIDO's service has published such (March 2023), and no certificate's key can have one.

/// The payload of a metadata BLOB (FIDO Metadata Service, 3.1.6): entries, found by what names a model of authenticators.
public struct MetadataPayload: Sendable {
  /// What one agrees to by using it.
  public let legalHeader: UTF8Text?
  /// The serial number of the BLOB, larger with every new one.
  public let no: Int64
  /// The day by which there will be a newer BLOB.
  public let nextUpdate: MetadataDate
  /// The entries' texts, one after the other.
  private let texts: [UInt8]
  private let entries: [Entry]
  private let index: [[UInt8]: [Int]]

  /// The largest payload, in bytes.
  public static let maximumBytes = 1 << 25
  /// The most entries.
  public static let maximumEntries = 1 << 14
  /// The most identifiers of all entries together.
  public static let maximumIdentifiers = 1 << 17
  /// The largest entry, in bytes. One that is larger is refused when it is asked for.
  public static let maximumEntryBytes = 1 << 20

  /// Where an entry stands.
  struct Entry {
    /// In `texts`; nil if it was too large to be kept.
    let range: Range<Int>?
  }

  /// Reads a payload that NOBODY HAS VERIFIED: anyone may have written every word of it.
  ///
  /// For looking at metadata; `MetadataBLOB.verify` reads what is to be relied on.
  public static func decodeWithoutVerifying(
    json: Span<UInt8>, keepsPictures: Bool = false
  ) throws(MetadataError) -> MetadataPayload {
    try MetadataPayload(json, keepsPictures: keepsPictures)
  }

  init(_ json: Span<UInt8>, keepsPictures: Bool) throws(MetadataError) {
    let scan = try MetadataScan.read(json, keepsPictures: keepsPictures)
    guard let no = scan.no else { throw MetadataError(scan.saw("no") ? .wrongType : .missing, "no") }
    guard let next = scan.nextUpdate else {
      throw MetadataError(scan.saw("nextUpdate") ? .wrongType : .missing, "nextUpdate")
    }
    guard let nextUpdate = MetadataDate(next) else { throw MetadataError(.invalidValue, "nextUpdate") }
    guard scan.hasEntries else { throw MetadataError(scan.saw("entries") ? .wrongType : .missing, "entries") }
    guard scan.legalHeader != nil || !scan.saw("legalHeader") else { throw MetadataError(.wrongType, "legalHeader") }
    legalHeader = scan.legalHeader
    self.no = no
    self.nextUpdate = nextUpdate
    texts = scan.texts
    entries = scan.entries
    index = scan.index
  }

  /// How many entries there are, those that cannot be read included.
  public var count: Int { entries.count }

  /// Reads the entry at a position.
  ///
  /// - Throws: `MetadataError` if it does not follow the specification, or there is no such position.
  public func entry(at position: Int) throws(MetadataError) -> MetadataEntry {
    guard entries.indices.contains(position) else { throw MetadataError(.missing, "entries", entry: position) }
    guard let range = entries[position].range else {
      let limit = CodecError(.tooLarge, "entries", at: Self.maximumEntryBytes)
      throw MetadataError(.malformed(limit), "entries", entry: position)
    }
    let value: JSONValue
    do throws(CodecError) {
      value = try JSONValue.decode(
        texts.span.extracting(range), limits: JSONLimits(maximumBytes: Self.maximumEntryBytes))
    } catch {
      throw MetadataError(.malformed(error), "entries", entry: position)
    }
    guard let object = value.object else { throw MetadataError(.wrongType, "entries", entry: position) }
    return try MetadataEntry(object, index: position)
  }

  /// The entries of a model: none if it is not known, mostly one. Entries may share a key identifier; a policy that must
  /// hold for the model must then hold for each.
  ///
  /// The AAGUID of zeros names no model, and finds nothing.
  /// - Throws: `MetadataError` if one of them does not follow the specification.
  public func entries(for identifier: MetadataIdentifier) throws(MetadataError) -> [MetadataEntry] {
    let key = identifier.key
    guard key.contains(where: { $0 != 0 }) else { return [] }
    var found: [MetadataEntry] = []
    for position in index[key] ?? [] { found.append(try entry(at: position)) }
    return found
  }

  /// Reads every entry, and returns why some were refused: one error each, with the entry's position.
  public func refusedEntries() -> [MetadataError] {
    entries.indices.compactMap { position in
      do throws(MetadataError) {
        _ = try entry(at: position)
        return nil
      } catch {
        return error
      }
    }
  }
}
