import AssayCodec
import AssayOTP
import AssayState
import Foundation
import TestSupport
import Testing

/// Other people's cases of time-based codes, each with the step that was used and the drift that was learned.
@Suite struct CodeVectorTests {
  @Test(.enabled(if: TestData.hasExtra)) func verdicts() async throws {
    let file = try #require(TestData.extra).appending(path: "otp/verify.json")
    let cases = try #require(try JSONValue.decode(Array(Data(contentsOf: file)).span).array)
    var judged = 0
    for json in cases where json["kind"]?.string == "totp" {
      try await judge(json)
      judged += 1
    }
    #expect(judged == 48)
  }

  private func judge(_ json: JSONValue) async throws {
    func text(_ name: UTF8Text) -> String { json[name]?.string?.string ?? "" }
    func integer(_ name: UTF8Text) throws -> Int64 { try #require(json[name]?.number?.int64 ?? Int64(text(name))) }
    let secret = try Base16.decode(Array(text("secret_hex").utf8).span)
    let totp = try TOTP(
      secret: SecretBytes(copying: secret.span), digits: Int(integer("digits")), period: integer("period"),
      algorithm: #require(OTPAlgorithm(name: UTF8Text(text("algorithm")))), start: UnixTime(integer("t0")))
    let window = TOTP.Window(back: Int(try integer("window_back")), ahead: Int(try integer("window_ahead")))
    let bench = try Bench(CodePolicy(window: window, maximumDrift: TOTP.Window.maximumSteps))
    let device = CodeDevice(id: [1], totp)
    let key = try StateKey("assay code device", bench.account, device.id)
    let drift = try integer("drift_steps")
    if let last = UInt64(text("last_used_step")) {
      _ = try await bench.steps.advance(bench.tenant, to: [key: UsedStep(step: last, drift: drift)])
    }

    let id = text("id")
    let verdict = try await bench.verify(Array(text("submitted").utf8), [device], at: UnixTime(integer("now")))
    let expected = json["expect"]
    switch id {
    case "ver-033": return  // a drift without a used step, which is never stored
    // The code of the step just used is refused for the next step too.
    case "ver-062": #expect(verdict == .refused(.wrongCode))
    default:
      guard expected?["result"]?.string == "accept" else {
        let malformed = expected?["reason"]?.string == "malformed"
        #expect(verdict == .refused(malformed ? .malformedCode : .wrongCode), "\(id)")
        return
      }
      #expect(verdict.accepted?.step == expected?["step"]?.string.flatMap { UInt64($0.string) }, "\(id)")
      let stored = try #require(await bench.steps.lastUsed(bench.tenant, [key])[key], "\(id)")
      #expect(stored.step == verdict.accepted?.step, "\(id)")
    }
  }
}
