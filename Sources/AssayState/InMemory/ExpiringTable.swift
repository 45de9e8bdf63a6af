internal import AssayCodec

/// Values that count until they expire, up to a fixed number of them. The time is what each call says it is.
struct ExpiringTable<Value> {
  private var entries: [StateKey: (value: Value, expiry: UnixTime)] = [:]
  private let capacity: Int
  /// What expired before this time may have been forgotten.
  private(set) var sweptUntil = UnixTime(.min)
  /// When the first of the entries left by the last sweep expires: sweeping earlier finds nothing.
  private var firstExpiry = UnixTime(.min)
  private var sweepAtCount = 1024

  init(capacity: Int) { self.capacity = capacity }

  /// The value of a key, if it has not expired.
  func value(_ key: StateKey, at now: UnixTime) -> Value? {
    guard let entry = entries[key], entry.expiry >= now else { return nil }
    return entry.value
  }

  /// Puts a value in place of the one there is, if any. Throws `full`, and forgets nothing that counts.
  mutating func set(_ key: StateKey, _ value: Value, until expiry: UnixTime, at now: UnixTime) throws(StateError) {
    if entries[key] == nil {
      if entries.count >= min(sweepAtCount, capacity) { sweep(now) }
      guard entries.count < capacity else { throw StateError(.full) }
    }
    entries[key] = (value, expiry)
    firstExpiry = min(firstExpiry, expiry)
  }

  /// Takes a value away, and gives it back if it has not expired.
  mutating func remove(_ key: StateKey, at now: UnixTime) -> Value? {
    guard let entry = entries.removeValue(forKey: key), entry.expiry >= now else { return nil }
    return entry.value
  }

  /// Takes a value away.
  mutating func remove(_ key: StateKey) { entries[key] = nil }

  private mutating func sweep(_ now: UnixTime) {
    guard firstExpiry < now else { return }
    entries = entries.filter { $0.value.expiry >= now }
    sweptUntil = max(sweptUntil, now)
    firstExpiry = entries.values.map(\.expiry).min() ?? UnixTime(.max)
    let (twice, overflow) = entries.count.multipliedReportingOverflow(by: 2)
    sweepAtCount = max(1024, overflow ? .max : twice)
  }
}
