/// A JSON value (RFC 8259), as read or to be written.
///
/// Names and strings are compared as bytes after unescaping, numbers are kept exactly, and an object keeps its members in
/// the order in which they stood.
public enum JSONValue: Hashable, Sendable {
  /// The literal `null`.
  case null
  /// The literals `true` and `false`.
  case bool(Bool)
  /// A number.
  case number(JSONNumber)
  /// A string, unescaped.
  case string(UTF8Text)
  /// An array.
  case array([JSONValue])
  /// An object.
  case object(JSONObject)

  /// The string, if this is one.
  public var string: UTF8Text? { if case .string(let text) = self { text } else { nil } }
  /// The number, if this is one.
  public var number: JSONNumber? { if case .number(let number) = self { number } else { nil } }
  /// The truth value, if this is one.
  public var bool: Bool? { if case .bool(let value) = self { value } else { nil } }
  /// The elements, if this is an array.
  public var array: [JSONValue]? { if case .array(let elements) = self { elements } else { nil } }
  /// The object, if this is one.
  public var object: JSONObject? { if case .object(let object) = self { object } else { nil } }

  /// The value of the member `name`, or nil if this is not an object or has no such member.
  public subscript(name: UTF8Text) -> JSONValue? { object?[name] }
}

/// The members of a JSON object: names are unique, the order is kept and counts for `==`.
public struct JSONObject: Hashable, Sendable, ExpressibleByDictionaryLiteral {
  /// One name and its value.
  public struct Member: Hashable, Sendable {
    /// The name, unescaped.
    public let name: UTF8Text
    /// The value.
    public let value: JSONValue
  }

  /// The members, in order.
  public private(set) var members: [Member]

  /// An object with the given members; a later one replaces an earlier one of the same name.
  public init(dictionaryLiteral elements: (UTF8Text, JSONValue)...) {
    members = []
    for (name, value) in elements { self[name] = value }
  }

  /// Takes members whose names are known to be unique.
  package init(unique members: [Member]) { self.members = members }

  /// The value of a member, nil if there is none. Setting nil removes it, setting a new name adds it at the end.
  public subscript(name: UTF8Text) -> JSONValue? {
    get { members.first { $0.name == name }?.value }
    set {
      let index = members.firstIndex { $0.name == name }
      switch (index, newValue) {
      case (let index?, let value?): members[index] = Member(name: name, value: value)
      case (let index?, nil): members.remove(at: index)
      case (nil, let value?): members.append(Member(name: name, value: value))
      case (nil, nil): break
      }
    }
  }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral,
  ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  /// A string.
  public init(stringLiteral value: String) { self = .string(UTF8Text(value)) }
  /// A number.
  public init(integerLiteral value: Int64) { self = .number(JSONNumber(value)) }
  /// A truth value.
  public init(booleanLiteral value: Bool) { self = .bool(value) }
  /// An array.
  public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
  /// An object; a later member replaces an earlier one of the same name.
  public init(dictionaryLiteral elements: (UTF8Text, JSONValue)...) {
    var object: JSONObject = [:]
    for (name, value) in elements { object[name] = value }
    self = .object(object)
  }
}
