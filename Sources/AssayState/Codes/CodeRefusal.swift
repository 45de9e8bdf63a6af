public import AssayCodec

/// Why a code was refused. Never holds the code or a part of it.
public struct CodeRefusal: Error, Hashable, Sendable {
  /// The kind of refusal.
  @nonexhaustive
  public enum Code: Hashable, Sendable {
    /// The text cannot be a code of this kind. It did not count as an attempt.
    case malformedCode
    /// The code is not right, or it was used: whoever submits it cannot tell.
    case wrongCode
    /// Too many attempts failed: the code was not looked at.
    case locked(until: UnixTime)
    /// At enrolment only: the code was right at another time, by about so many seconds after ours (before it where negative).
    /// The device's clock has to be put right first.
    case clockOff(seconds: Int64)
  }

  /// The kind of refusal.
  public let code: Code

  init(_ code: Code) { self.code = code }
}

extension CodeRefusal: CustomStringConvertible {
  /// One line for a person: what is wrong and what to do.
  public var description: String {
    switch code {
    case .malformedCode: "this is not a code: type all of its characters and nothing else"
    case .wrongCode: "the code is not right, or was used already: wait for the next one, or take another"
    case .locked(let until): "too many attempts failed: try again at \(until.seconds) (seconds since 1970)"
    case .clockOff(let seconds):
      "the device's clock is \(abs(max(seconds, -.max))) seconds \(seconds < 0 ? "behind" : "ahead"): set it, and try again"
    }
  }
}
