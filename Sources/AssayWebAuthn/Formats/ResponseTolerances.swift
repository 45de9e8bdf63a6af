internal import AssayCodec

/// What is taken in a client's answer although no browser writes it: for apps whose own code builds the answer. None of it
/// unless you say so; the bytes that are verified are the same in any case, and ids are compared as bytes.
public struct ResponseTolerances: OptionSet, Hashable, Sendable {
  /// The members that are in the set, one bit each.
  public let rawValue: Int

  /// The set with these bits.
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// Base64url may be padded with `=`, as the encoders of many languages do. Only padding that is right is taken.
  public static let padding = ResponseTolerances(rawValue: 1)
  /// Base64url may have `+` and `/` for `-` and `_`, as encoders of plain base64 write it.
  public static let standardAlphabet = ResponseTolerances(rawValue: 2)
  /// `userHandle` is the handle's own text, and not its base64url. It is never guessed which of the two a text is, since
  /// most are both: an app that writes texts must always do so, and its handles must be UTF-8.
  public static let userHandleAsText = ResponseTolerances(rawValue: 4)

  /// White space inside and spare bits are nobody's habit: with the latter, one id would have several texts.
  var radixLeniency: RadixLeniency {
    var leniency: RadixLeniency = []
    if contains(.padding) { leniency.insert(.padding) }
    if contains(.standardAlphabet) { leniency.insert(.otherAlphabet) }
    return leniency
  }
}
