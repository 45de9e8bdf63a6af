/// Which encodings of a data item are accepted.
public enum CBORForm: Hashable, Sendable {
  /// Every well-formed and valid item (RFC 8949, 5.3): definite and indefinite lengths, integers of any width, tags.
  /// Duplicate map keys and text that is not UTF-8 are refused.
  case wellFormed
  /// CTAP2 canonical CBOR (CTAP 2.1, 8): shortest integers and lengths, definite lengths only, map keys in order, no tags,
  /// nesting of at most 4. Floats keep the width they came in, as CTAP2 leaves them alone.
  case ctap2Canonical
}

/// How large a CBOR input may be.
public struct CBORLimits: Hashable, Sendable {
  /// The most bytes of input.
  public var maximumBytes: Int
  /// The most data items, counted at every level.
  public var maximumItems: Int
  /// The deepest nesting of arrays, maps and tags, at most `deepest`. CTAP2 canonical form allows 4 whatever is said here.
  public let maximumDepth: Int

  /// The deepest nesting that can be asked for: reading recurses, so that it bounds the stack.
  public static let deepest = 128

  /// 1 MiB, 65,536 items, nesting of 32: ample for attestation objects.
  public static let `default` = CBORLimits()

  /// Sets the limits; a depth above `deepest` is taken as `deepest`.
  public init(maximumBytes: Int = 1 << 20, maximumItems: Int = 65_536, maximumDepth: Int = 32) {
    self.maximumBytes = maximumBytes
    self.maximumItems = maximumItems
    self.maximumDepth = min(maximumDepth, CBORLimits.deepest)
  }
}
