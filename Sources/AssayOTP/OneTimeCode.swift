public import AssayCodec

/// A one-time code: a fixed number of ASCII digits, leading zeros kept.
///
/// It is as good as a password for as long as it is accepted, so it does not print itself and cannot be compared with
/// `==`: give what the user typed to `TOTP.verify` or `HOTP.verify` instead.
public struct OneTimeCode: Sendable, CustomStringConvertible, CustomReflectable {
  /// The digits, to show to the one person they are for. Their memory is not wiped; that of the codes `verify` makes is.
  public let text: UTF8Text

  /// How long the code is, never the code.
  public var description: String { "one-time code (\(text.utf8.count) digits)" }

  /// Nothing, so that `dump` does not show the code either.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
