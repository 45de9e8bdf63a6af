/// The name of a field, in the words of the specification that defines it.
///
/// It can be made from a literal only, so that an error can never carry input.
public struct Field: Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
  /// The name, such as `rpIdHash` or `alg`.
  public let name: StaticString

  /// Makes a field name from a literal.
  public init(stringLiteral name: StaticString) { self.name = name }

  /// The name itself.
  public var description: String { name.description }
}

extension Field: Hashable {
  /// Whether two fields have the same name.
  public static func == (a: Field, b: Field) -> Bool { a.description.utf8.elementsEqual(b.description.utf8) }

  /// Hashes the name.
  public func hash(into hasher: inout Hasher) { hasher.combine(description) }
}
