/// Ends the run, as a crash does, when a promise is broken. libFuzzer then keeps the input.
public func require(_ promise: Bool, _ what: StaticString) {
  if !promise { fatalError("broken promise: \(what)") }
}

/// The input that libFuzzer hands over, copied, so that a read past its end is seen by the address sanitizer.
public func input(_ start: UnsafePointer<UInt8>?, _ count: Int) -> [UInt8] {
  unsafe Array(UnsafeBufferPointer(start: start, count: count))
}
