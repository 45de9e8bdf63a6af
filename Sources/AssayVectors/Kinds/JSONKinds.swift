internal import AssayCodec

extension VectorKind {
  /// A JSON text.
  static let json = VectorKind(name: "json") { (one, _) throws(VectorFileError) in
    var text = try one.optionalHex("bytes") ?? []
    if one.optional("bytes") == nil { text = try one.text("text", orParts: "textParts") }
    let verdict = try one.verdict()
    do throws(CodecError) {
      let value = try JSONValue.decode(text.span)
      guard verdict == .valid else { return .failed(expected: "invalid", actual: "valid") }
      // What is written is read again as the same.
      let written = value.encoded()
      return (try? JSONValue.decode(written.span)) == value
        ? .passed : .failed(expected: "the same value when written and read again", actual: "another value")
    } catch {
      return .compare(expected: verdict, actual: .invalid, because: error.description)
    }
  }

  /// A case that is not judged: `reason` says why, in the words of `scope.json`.
  static let outside = VectorKind(name: "outside") { (one, _) throws(VectorFileError) in
    .skipped(.named(try one.text("reason")))
  }
}
