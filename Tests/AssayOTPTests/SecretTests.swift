import AssayCodec
import AssayOTP
import TestSupport
import Testing

/// Secrets: made, and read from base32.
@Suite struct SecretTests {
  @Test func newOnesAreRandomAndLongEnough() throws {
    var seen: Set<[UInt8]> = []
    for _ in 0..<100 {
      let secret = try OTPSecret.generate()
      #expect(secret.count == 20)
      let bytes = secret.withSpan { Array(copying: $0) }
      #expect(seen.insert(bytes).inserted)
    }
    for count in [16, 20, 32, 64, 1024] {
      let secret = try OTPSecret.generate(byteCount: count)
      #expect(secret.count == count)
    }
    for (count, expected) in [
      (Int.min, OTPError.Code.shortSecret), (0, .shortSecret), (15, .shortSecret),
      (1025, .longSecret), (.max, .longSecret),
    ] {
      #expect(Self.generationFault(count) == expected)
    }
  }

  private static func generationFault(_ count: Int) -> OTPError.Code? {
    do throws(OTPError) {
      _ = try OTPSecret.generate(byteCount: count)
      return nil
    } catch { return error.code }
  }

  /// What a reading gives, as text; an error's place.
  private static func read(_ text: [UInt8]) -> (hex: String?, departures: [String], offset: Int?) {
    do throws(CodecError) {
      let reading = try OTPSecret.read(text.span)
      return (reading.secret.withSpan { Base16.encode($0).string }, reading.departures.map(\.name.string).sorted(), nil)
    } catch { return (nil, [], error.offset) }
  }

  @Test(.enabled(if: TestData.hasExtra)) func everySecretOfTheCollection() {
    let vectors = OTPVector.extra("otp/base32.json")
    #expect(vectors.count == 44)
    for vector in vectors {
      let id = "\(vector.testDescription)"
      let text = Array(vector.string("input").utf8)
      let lenient = OTPVector(json: vector.json["lenient"] ?? .null, file: vector.file)
      let result = Self.read(text)
      #expect(result.hex == (lenient.json["ok"] == true ? lenient.string("hex") : nil), "\(id)")
      let warnings = lenient.json["warnings"]?.array?.compactMap { $0.string?.string } ?? []
      #expect(result.departures == warnings, "\(id)")
      for (name, profile) in [("strict_padded", Base32.Profile.padded), ("strict_unpadded", .unpadded)] {
        let strict = OTPVector(json: vector.json[UTF8Text(name)] ?? .null, file: vector.file)
        let bytes = try? Base32.decode(text.span, profile).withSpan { Base16.encode($0).string }
        #expect(bytes == (strict.json["ok"] == true ? strict.string("hex") : nil), "\(id) \(name)")
      }
    }
  }

  /// Every byte at every place of a secret: a symbol in either case, a separator, padding at the end, or an error there.
  @Test func everyByteAtEveryPlace() {
    let good = Array("GEZDGNBVGY3TQOJQ".utf8)
    let symbols = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz234567 \t\r\n-".utf8)
    for place in good.indices {
      for byte in UInt8.min...UInt8.max {
        var text = good
        text[place] = byte
        let offset = Self.read(text).offset
        if symbols.contains(byte) {
          #expect(offset == nil)
        } else if byte == UInt8(ascii: "=") {
          #expect(offset == (place == good.count - 1 ? nil : place + 1))
        } else {
          #expect(offset == place)
        }
      }
    }
  }

  /// Whatever is written in the one form is read without a departure, and all other forms of it give the same secret.
  @Test func everyLengthInEveryForm() {
    for count in 0...70 {
      let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 89 &+ 7) }
      let hex = Base16.encode(bytes.span).string
      let text = Base32.encode(bytes.span).string
      #expect(Self.read(Array(text.utf8)) == (hex, [], nil))
      let forms = [
        text.lowercased(), text + "========", " " + text.map(String.init).joined(separator: "-") + "\r\n",
        Base32.encode(bytes.span, padded: true).string,
      ]
      for form in forms { #expect(Self.read(Array(form.utf8)).hex == hex) }
    }
  }
}
