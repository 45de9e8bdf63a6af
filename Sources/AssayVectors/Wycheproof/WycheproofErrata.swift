internal import AssayCodec

/// Which labels of a file are withdrawn: `_errata.json` beside it says why, case by case.
///
/// `{"notes":[{"file":…,"tcIds":[…],"label":…,"issue":…}]}`. A case whose label is withdrawn passes if the engine agrees
/// with the label, and is skipped if not. Where `tcIds` is a text, the note explains what the flags decide.
struct WycheproofErrata {
  static let fileName: UTF8Text = "_errata.json"

  private let withdrawn: Set<Int64>

  /// None.
  init() { withdrawn = [] }

  /// Reads what concerns the file of this name.
  init(_ bytes: [UInt8], for fileName: UTF8Text) throws(VectorFileError) {
    let value: JSONValue
    do throws(CodecError) { value = try JSONValue.decode(bytes.span) } catch {
      throw VectorFileError("the errata: \(error)")
    }
    var file = try MemberReader(value, "the errata")
    file.ignore("file", "snapshot")
    var withdrawn: Set<Int64> = []
    for (index, value) in try file.array("notes").enumerated() {
      var note = try MemberReader(value, "erratum number \(index + 1)")
      let isOurs = try note.text("file") == fileName
      note.ignore("label", "issue")
      let identifiers = try note.value("tcIds")
      try note.finish()
      if identifiers.string != nil { continue }
      for identifier in identifiers.array ?? [] {
        guard let number = identifier.number?.int64 else { throw note.fault("tcIds must hold integers") }
        if isOurs { withdrawn.insert(number) }
      }
    }
    try file.finish()
    self.withdrawn = withdrawn
  }

  func withdraws(_ identifier: Int64) -> Bool { withdrawn.contains(identifier) }
}
