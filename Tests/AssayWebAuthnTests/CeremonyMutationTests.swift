import TestAuthenticator
import Testing

/// A few of the ceremonies that fuzzing runs for hours.
struct CeremonyMutationTests {
  @Test(arguments: 0..<16) func nothingUnsignedIsAccepted(_ seed: UInt64) {
    // SplitMix64.
    var state = seed
    func next() -> UInt64 {
      state &+= 0x9E37_79B9_7F4A_7C15
      var z = state
      z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
      z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
      return z ^ (z >> 31)
    }
    for _ in 0..<40 {
      let input = (0..<(1 + next() % 48)).map { _ in UInt8(truncatingIfNeeded: next()) }
      #expect(throws: Never.self, "\(input)") { try CeremonyMutation.run(input) }
    }
  }
}
