import AssayCodec
import Foundation
import TestSupport

/// A file of ceremonies, read by our own JSON reader, so that what a test hands on is what stood there.
struct CeremonyFile {
  let name: String
  let json: JSONValue

  init(_ url: URL) throws {
    name = url.deletingPathExtension().lastPathComponent
    let bytes = try TestData.bytes(url)
    json = try JSONValue.decode(bytes.span, limits: JSONLimits(maximumBytes: 1 << 24))
  }

  /// Every `.json` file of a folder, by name.
  static func all(in folder: URL) throws -> [CeremonyFile] {
    try TestData.jsonFiles(in: folder).map { try CeremonyFile($0) }
  }

  static func decoded(_ value: JSONValue?) throws -> [UInt8] {
    guard let text = value?.string else { throw TestData.Missing(path: "a base64url text") }
    return try Base64URL.decode(text.utf8.span, [.padding])
  }
}
