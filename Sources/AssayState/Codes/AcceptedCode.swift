/// A code that was right and is used up.
public struct AcceptedCode: Hashable, Sendable {
  /// The `id` of the device that made it: the first of those given for which it was right.
  public let device: [UInt8]
  /// The step or counter of that device.
  public let step: UInt64
  /// By about how many seconds that device's clock is ahead of ours (behind where negative), in whole periods; nil for counters.
  /// Tell its owner before it leaves the window.
  public let clockOffset: Int64?
  /// Further devices for which it was right by chance, or because they hold the same secret. It is used up for them too.
  public let otherDevices: [[UInt8]]
}
