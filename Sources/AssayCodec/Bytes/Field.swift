/// The name of a field, in the words of the specification that defines it.
///
/// It can be made from a literal only, so that an error can never carry input.
public struct Field: Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
  /// The name, such as `rpIdHash` or `alg`.
  public let name: String

  /// Makes a field name from a literal.
  public init(stringLiteral name: StaticString) { self.name = name.description }

  /// The name itself.
  public var description: String { name }
}
