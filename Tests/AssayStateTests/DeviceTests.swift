import AssayCodec
import AssayOTP
import AssayState
import Testing

/// Several devices of one account, and counter-based ones.
@Suite struct DeviceTests {
  private let now = UnixTime(1_700_000_010)

  @Test func theDeviceThatMatchedIsNamedAndUsed() async throws {
    let bench = try Bench()
    let (first, second) = (try Bench.totp(), try Bench.totp(Array("another secret of 24 byt".utf8)))
    let devices = [CodeDevice(id: [1], first), CodeDevice(id: [2], second)]
    #expect(try await bench.verify(Bench.code(second, at: now), devices, at: now).accepted?.device == [2])
    #expect(try await bench.verify(Bench.code(first, at: now), devices, at: now).accepted?.device == [1])
    #expect(try await bench.verify(Bench.code(second, at: now), devices, at: now) == .refused(.wrongCode))
  }

  @Test func theBudgetIsTheAccounts() async throws {
    let bench = try Bench()
    let devices = [
      CodeDevice(id: [1], try Bench.totp()), CodeDevice(id: [2], try Bench.totp(digits: 8)),
    ]
    for attempt in 0..<10 {
      let code = attempt % 2 == 0 ? Array("000000".utf8) : Array("00000000".utf8)
      #expect(try await bench.verify(code, devices, at: now) == .refused(.wrongCode))
    }
    for device in devices {
      let code = [UInt8](repeating: UInt8(ascii: "0"), count: device.digits)
      #expect(try await bench.verify(code, [device], at: now) == .refused(.locked(until: now.adding(seconds: 60))))
    }
  }

  @Test func aCodeOfTwoDevicesIsUsedUpOnBoth() async throws {
    let bench = try Bench()
    let totp = try Bench.totp()
    let (first, second) = (CodeDevice(id: [1], totp), CodeDevice(id: [2], totp))
    let code = try Bench.code(totp, at: now)
    let accepted = try await bench.verify(code, [first, second], at: now).accepted
    #expect(accepted?.device == [1] && accepted?.otherDevices == [[2]])
    for devices in [[first], [second], [second, first]] {
      #expect(try await bench.verify(code, devices, at: now) == .refused(.wrongCode))
    }
    // Used on one, it is not good for the other, even though that one has not seen it.
    let next = try Bench.code(totp, at: now, plus: 1)
    #expect(try await bench.verify(next, [first], at: now).accepted?.device == [1])
    #expect(try await bench.verify(next, [first, second], at: now) == .refused(.wrongCode))
  }

  @Test func devicesHaveBounds() async throws {
    let bench = try Bench()
    let totp = try Bench.totp()
    let code = try Bench.code(totp, at: now)
    func device(_ id: UInt8) -> CodeDevice { CodeDevice(id: [id], totp) }
    for devices in [[], [device(1), device(1)], (0..<9).map { device($0) }] {
      await #expect(throws: StateError(.devicesNotAllowed)) {
        try await bench.verifier.verify(bench.tenant, code, of: [1], devices, at: now)
      }
    }
    #expect(try await bench.verify(code, (0..<8).map { device($0) }, at: now).accepted?.otherDevices.count == 7)
  }

  @Test func aForgottenDeviceBeginsAnew() async throws {
    let bench = try Bench()
    let totp = try Bench.totp()
    let device = CodeDevice(id: [1], totp)
    _ = try await bench.verify(Bench.code(totp, at: now), [device], at: now)
    try await bench.verifier.forget(bench.tenant, of: bench.account, device)
    #expect(try await bench.verify(Bench.code(totp, at: now), [device], at: now).accepted != nil)
  }

  @Test func countersAdvanceAndNeverGoBack() async throws {
    let bench = try Bench()
    let hotp = try Bench.hotp()
    let token = CodeDevice(id: [1], hotp, firstCounter: 5)
    func verify(_ counter: UInt64) async throws -> Verdict {
      try await bench.verify(Bench.code(hotp, counter), [token], at: now)
    }
    #expect(try await verify(4) == .refused(.wrongCode))
    #expect(try await bench.enrol(Bench.code(hotp, 5), token, at: now).accepted?.step == 5)
    #expect(try await verify(5) == .refused(.wrongCode))
    #expect(try await verify(16).accepted?.step == 16)
    #expect(try await verify(16) == .refused(.wrongCode))
    #expect(try await verify(15) == .refused(.wrongCode))
    #expect(try await verify(28) == .refused(.wrongCode))
    #expect(try await verify(27).accepted?.clockOffset == nil)
    // A failure does not move the counter.
    for _ in 0..<9 { #expect(try await verify(1000) == .refused(.wrongCode)) }
    #expect(try await verify(28).accepted?.step == 28)
  }

  /// The counters 2386 and 2394 of this secret have the code 709847.
  @Test func aUsedCodeIsNotThatOfALaterCounter() async throws {
    let bench = try Bench()
    let hotp = try Bench.hotp()
    let token = CodeDevice(id: [1], hotp, firstCounter: 2386)
    let code = try Bench.code(hotp, 2386)
    #expect(try code == Bench.code(hotp, 2394))
    #expect(try await bench.verify(code, [token], at: now).accepted?.step == 2386)
    #expect(try await bench.verify(code, [token], at: now) == .refused(.wrongCode))
    #expect(try await bench.verify(Bench.code(hotp, 2393), [token], at: now).accepted?.step == 2393)
    #expect(try await bench.verify(code, [token], at: now).accepted?.step == 2394)
  }

  @Test func theLastCounterIsTheLast() async throws {
    let bench = try Bench()
    let hotp = try Bench.hotp()
    let token = CodeDevice(id: [1], hotp, firstCounter: .max)
    let code = try Bench.code(hotp, .max)
    #expect(try await bench.verify(code, [token], at: now).accepted?.step == .max)
    #expect(try await bench.verify(code, [token], at: now) == .refused(.wrongCode))
    #expect(try await bench.verify(Bench.code(hotp, 0), [token], at: now) == .refused(.wrongCode))
  }

  @Test func twoCodesInARowResynchronise() async throws {
    let bench = try Bench()
    let hotp = try Bench.hotp()
    let token = CodeDevice(id: [1], hotp)
    func resynchronize(_ first: UInt64, _ second: UInt64) async throws -> Verdict {
      try await Verdict {
        try await bench.verifier.resynchronize(
          bench.tenant, Bench.code(hotp, first), Bench.code(hotp, second), of: bench.account, token, at: now)
      }
    }
    #expect(try await bench.verify(Bench.code(hotp, 60), [token], at: now) == .refused(.wrongCode))
    #expect(try await resynchronize(60, 62) == .refused(.wrongCode))
    #expect(try await resynchronize(60, 61).accepted?.step == 61)
    #expect(try await resynchronize(60, 61) == .refused(.wrongCode))
    #expect(try await resynchronize(61, 62) == .refused(.wrongCode))
    #expect(try await bench.verify(Bench.code(hotp, 62), [token], at: now).accepted?.step == 62)
    #expect(try await resynchronize(164, 165) == .refused(.wrongCode))
    #expect(try await resynchronize(163, 164).accepted?.step == 164)
    // Attempts at it count.
    for _ in 0..<10 { #expect(try await resynchronize(1, 2) == .refused(.wrongCode)) }
    #expect(try await resynchronize(165, 166) == .refused(.locked(until: now.adding(seconds: 60))))
    let phone = CodeDevice(id: [2], try Bench.totp())
    await #expect(throws: CodeRefusal.self) {
      try await bench.verifier.resynchronize(
        bench.tenant, Bench.code(hotp, 1), Bench.code(hotp, 2), of: [9], phone, at: now)
    }
  }
}
