public import AssayCodec

/// One thing that a policy requires of an authenticator, what was found, and whether that is enough.
public struct CheckedRequirement: Hashable, Sendable {
  /// What it is about, in the specification's words.
  public let name: Field
  /// What would have been enough.
  public let required: [UTF8Text]
  /// What was found.
  public let found: [UTF8Text]
  /// Whether that is enough.
  public let isMet: Bool

  /// As JSON, for a log.
  public var auditRecord: JSONValue {
    [
      "name": .string(name.text), "required": .array(required.map { .string($0) }),
      "found": .array(found.map { .string($0) }), "met": .bool(isMet),
    ]
  }
}

extension CheckedRequirement: CustomStringConvertible {
  /// One line for a person.
  public var description: String {
    func list(_ words: [UTF8Text]) -> String {
      words.isEmpty ? "nothing" : words.map { $0.printable() }.joined(separator: ", ")
    }
    return "\(name): \(isMet ? "met" : "not met"): required \(list(required)); found \(list(found))"
  }
}
