import AssayCodec
import AssayWebAuthn
import Foundation
import TestSupport
import Testing

/// The names of passkey providers.
struct ProviderNameTests {
  private static let known = [UInt8](0..<16)
  private static let uuid = "00010203-0405-0607-0809-0a0b0c0d0e0f"

  private static func read(_ json: String) throws -> PasskeyProviderNames {
    let bytes = Array(json.utf8)
    return try PasskeyProviderNames(json: bytes.span)
  }

  @Test func namesAreFound() throws {
    let names = try Self.read(
      #"{"\#(Self.uuid)":{"name":"Keys & Co","icon_light":"data:,","icon_dark":null,"new":[1]},"#
        + #""FFFFFFFF-0405-0607-0809-0a0b0c0d0e0f":"Plain"}"#)
    #expect(names.count == 2)
    #expect(names[Self.known] == "Keys & Co")
    #expect(names[[255, 255, 255, 255] + Self.known.dropFirst(4)] == "Plain")
    #expect(names[[UInt8](repeating: 0, count: 16)] == nil)
    #expect(names[[]] == nil)
    #expect(try Self.read("{}").count == 0)
  }

  @Test(arguments: [
    ("[]", "providers"), ("1", "providers"), (#"{"":"x"}"#, "aaguid"),
    (#"{"00010203040506070809-0a0b0c0d0e0f":"x"}"#, "aaguid"),
    (#"{"000102030405060708090a0b0c0d0e0f":"x"}"#, "aaguid"),
    (#"{"0001020g-0405-0607-0809-0a0b0c0d0e0f":"x"}"#, "aaguid"),
    (#"{"{0010203-0405-0607-0809-0a0b0c0d0e0f":"x"}"#, "aaguid"), (#"{"UUID":1}"#, "name"), (#"{"UUID":{}}"#, "name"),
    (#"{"UUID":{"name":1}}"#, "name"), (#"{"UUID":""}"#, "name"), (#"{"UUID":null}"#, "name"),
    (#"{"UUID":"x","00010203-0405-0607-0809-0A0B0C0D0E0F":"y"}"#, "aaguid"),
  ])
  func formIsExact(_ json: String, _ field: String) throws {
    let error = #expect(throws: WebAuthnError.self) { try Self.read(json.replacing("UUID", with: Self.uuid)) }
    #expect(error?.code == .malformedProviderNames)
    #expect(error?.field.description == field)
  }

  @Test func everythingIsBounded() throws {
    func list(_ count: Int) -> String {
      let members = (0..<count).map { number in
        let hex = String(number, radix: 16)
        return #""\#(String(repeating: "0", count: 8 - hex.count))\#(hex)\#(Self.uuid.dropFirst(8))":"x""#
      }
      return "{\(members.joined(separator: ","))}"
    }
    #expect(try Self.read(list(PasskeyProviderNames.maximumCount)).count == PasskeyProviderNames.maximumCount)
    #expect(throws: WebAuthnError.self) { try Self.read(list(PasskeyProviderNames.maximumCount + 1)) }
    let longest = String(repeating: "x", count: PasskeyProviderNames.maximumNameBytes)
    #expect(try Self.read(#"{"\#(Self.uuid)":"\#(longest)"}"#)[Self.known] == UTF8Text(longest))
    #expect(throws: WebAuthnError.self) { try Self.read(#"{"\#(Self.uuid)":"\#(longest)x"}"#) }
  }

  @Test(.enabled(if: TestData.hasExtra)) func aPublishedListIsRead() throws {
    let root = try #require(TestData.extra)
    let bytes = try TestData.bytes(root.appending(path: "webauthn/passkey-providers.json"))
    let names = try PasskeyProviderNames(json: bytes.span)
    #expect(names.count == 52)
    let hello = try Base16.decode(Array("08987058cadc4b81b6e130de50dcbe96".utf8).span)
    #expect(names[hello] == "Windows Hello")
  }
}
