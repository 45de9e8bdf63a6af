internal import AssayCodec

/// One pass over a payload: what is needed to find its entries.
struct MetadataScan {
  private(set) var legalHeader: UTF8Text?
  private(set) var no: Int64?
  private(set) var nextUpdate: UTF8Text?
  private(set) var hasEntries = false
  private(set) var texts: [UInt8] = []
  private(set) var entries: [MetadataPayload.Entry] = []
  private(set) var index: [[UInt8]: [Int]] = [:]
  private var names: [UTF8Text] = []
  private var identifiers = 0
  private let keepsPictures: Bool

  private init(keepsPictures: Bool) { self.keepsPictures = keepsPictures }

  static func read(_ json: Span<UInt8>, keepsPictures: Bool) throws(MetadataError) -> MetadataScan {
    var scan = MetadataScan(keepsPictures: keepsPictures)
    let limits = JSONLimits(maximumBytes: MetadataPayload.maximumBytes)
    do throws(CodecError) {
      try ByteReader.walkJSON(json, limits: limits) { (reader, depth) throws(CodecError) in
        guard reader.next == UInt8(ascii: "{") else {
          try reader.skipJSON(depth)
          throw CodecError(.wrongType, "metadata BLOB payload", at: 0)
        }
        try reader.walkJSONObject(depth) { (name, reader, depth) throws(CodecError) in
          try scan.member(name, &reader, depth, of: json)
        }
      }
    } catch {
      throw MetadataError(.malformed(error), "metadata BLOB payload")
    }
    return scan
  }

  /// Whether the payload has a member of this name.
  func saw(_ name: UTF8Text) -> Bool { names.contains(name) }

  private static let known: [UTF8Text] = ["legalHeader", "no", "nextUpdate", "entries"]

  private mutating func member(
    _ name: UTF8Text, _ reader: inout ByteReader, _ depth: JSONLimits.Depth, of json: Span<UInt8>
  ) throws(CodecError) {
    if Self.known.contains(name) { names.append(name) }
    switch name {
    case "legalHeader": legalHeader = try reader.simpleJSON(depth)?.string
    case "no": no = try reader.simpleJSON(depth)?.number?.int64
    case "nextUpdate": nextUpdate = try reader.simpleJSON(depth)?.string
    case "entries" where reader.next == UInt8(ascii: "["):
      hasEntries = true
      try reader.walkJSONArray(depth) { (reader, depth) throws(CodecError) in try entry(&reader, depth, of: json) }
    default: try reader.skipJSON(depth)
    }
  }

  private mutating func entry(
    _ reader: inout ByteReader, _ depth: JSONLimits.Depth, of json: Span<UInt8>
  ) throws(CodecError) {
    guard entries.count < MetadataPayload.maximumEntries else { throw reader.fault(.tooLarge, "entries") }
    let start = reader.offset
    var pictures: [Range<Int>] = []
    if reader.next == UInt8(ascii: "{") {
      try reader.walkJSONObject(depth) { (name, reader, depth) throws(CodecError) in
        switch name {
        case "aaguid": try add(reader.identifier(depth, "aaguid") { MetadataIdentifier.aaguid($0) })
        case "aaid": try add(reader.identifier(depth, "aaid") { MetadataIdentifier.aaid($0)?.utf8 })
        case "attestationCertificateKeyIdentifiers" where reader.next == UInt8(ascii: "["):
          try reader.walkJSONArray(depth) { (reader, depth) throws(CodecError) in
            guard identifiers < MetadataPayload.maximumIdentifiers else {
              throw reader.fault(.tooLarge, "attestationCertificateKeyIdentifiers")
            }
            add(try reader.simpleJSON(depth)?.string.flatMap { MetadataIdentifier.keyIdentifier($0) })
          }
        case "metadataStatement" where reader.next == UInt8(ascii: "{") && !keepsPictures:
          try reader.walkJSONObject(depth) { (name, reader, depth) throws(CodecError) in
            let range = try reader.skipJSON(depth)
            if MetadataStatement.pictures.contains(name) { pictures.append(range) }
          }
        default: try reader.skipJSON(depth)
        }
      }
    } else {
      try reader.skipJSON(depth)
    }
    keep(start..<reader.offset, without: pictures, of: json)
  }

  /// Files the entry being read under one of its identifiers. A key identifier that is none is left for reading the entry.
  private mutating func add(_ key: [UInt8]?) {
    guard let key, index[key]?.last != entries.count else { return }
    identifiers += 1
    index[key, default: []].append(entries.count)
  }

  /// Keeps an entry's text, with null in the place of pictures.
  private mutating func keep(_ range: Range<Int>, without pictures: [Range<Int>], of json: Span<UInt8>) {
    let start = texts.count
    let kept = range.count - pictures.reduce(0) { $0 + $1.count }
    guard kept <= MetadataPayload.maximumEntryBytes else { return entries.append(MetadataPayload.Entry(range: nil)) }
    var position = range.lowerBound
    for picture in pictures {
      texts += Array(copying: json.extracting(position..<picture.lowerBound))
      texts += Array("null".utf8)
      position = picture.upperBound
    }
    texts += Array(copying: json.extracting(position..<range.upperBound))
    entries.append(MetadataPayload.Entry(range: start..<texts.count))
  }
}

extension ByteReader {
  /// Takes what names a model. It must be readable: an entry that is not found could be the one that says its model is
  /// revoked, and the model would pass for an unknown one.
  fileprivate mutating func identifier(
    _ depth: JSONLimits.Depth, _ field: Field, _ parse: (UTF8Text) -> [UInt8]?
  ) throws(CodecError) -> [UInt8] {
    let start = offset
    guard let text = try simpleJSON(depth)?.string else { throw CodecError(.wrongType, field, at: start) }
    guard let key = parse(text) else { throw CodecError(.invalidValue, field, at: start) }
    return key
  }

  /// Takes a value unless it is an array or an object, which may be of any size: those are left behind.
  fileprivate mutating func simpleJSON(_ depth: JSONLimits.Depth) throws(CodecError) -> JSONValue? {
    guard next != UInt8(ascii: "["), next != UInt8(ascii: "{") else {
      try skipJSON(depth)
      return nil
    }
    return try takeJSON(depth)
  }
}
