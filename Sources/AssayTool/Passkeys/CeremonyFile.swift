internal import AssayCodec
internal import AssayVectors

/// Reads ceremony files for the verbs of `passkey`.
enum CeremonyFile {
  static let help = "a ceremony as a browser gave it (shape: Vectors/README.md, Ceremonies); - is standard input"

  /// The JSON in a file.
  static func json(_ path: UTF8Text) throws(Failure) -> JSONValue {
    let text = try Input.read(path)
    return try decoding(shown(path)) { () throws(CodecError) in
      try JSONValue.decode(text.span, limits: JSONLimits(maximumBytes: Input.maximumBytes))
    }
  }

  /// A ceremony with everything that verifying it takes.
  static func read(_ path: UTF8Text) throws(Failure) -> ChromiumCapture {
    let value = try json(path)
    do throws(VectorFileError) {
      return try ChromiumCapture(value)
    } catch { throw .refused("\(shown(path)): this is not a ceremony file: \(error)") }
  }

  /// The name of a file beside `path`. It comes from the file itself, so it must be one name and no way elsewhere.
  static func sibling(_ name: UTF8Text, of path: UTF8Text) throws(Failure) -> UTF8Text {
    let isPlain = !name.isEmpty && name != ".." && name != "-" && !name.utf8.contains(UInt8(ascii: "/"))
    guard isPlain, path != "-" else {
      throw .refused("\(shown(path)): the registration it names cannot be found: give it with --registration")
    }
    return Folder.join(Folder.split(path).folder, name)
  }

  static func shown(_ path: UTF8Text) -> String { path == "-" ? "standard input" : Shown.text(path) }
}
