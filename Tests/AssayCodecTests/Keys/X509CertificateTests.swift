import AssayCodec
import Foundation
import Testing

/// The fields of a certificate that say who issued it, and when it is valid.
@Suite struct X509CertificateTests {
  static func element(_ tag: UInt8, _ contents: [UInt8]) -> [UInt8] { [tag, UInt8(contents.count)] + contents }

  /// A certificate of small parts with these two times, given by tag and text.
  static func certificate(_ times: [(UInt8, String)], after: [UInt8] = []) -> [UInt8] {
    let validity = times.flatMap { element($0.0, Array($0.1.utf8)) } + after
    let fields: [UInt8] =
      [0x02, 0x02, 0x00, 0x80, 0x30, 0x00, 0x30, 0x02, 0x31, 0x00] + element(0x30, validity)
      + [0x30, 0x00, 0x30, 0x00]
    return element(0x30, element(0x30, fields) + [0x30, 0x00, 0x03, 0x01, 0x00])
  }

  static func validity(_ der: [UInt8]) throws -> X509Certificate.Validity {
    try X509Certificate(der.span).validity()
  }

  @Test func keepsNamesAndNumbersAsTheyStood() throws {
    let certificate = try X509Certificate(Self.certificate([]).span)
    #expect(certificate.serialNumber == [0x00, 0x80])
    #expect(certificate.issuerName == [0x30, 0x02, 0x31, 0x00])
    #expect(throws: CodecError.self) { try certificate.validity() }
  }

  @Test func readsBothFormsOfTime() throws {
    let calendar = ISO8601DateFormatter()
    for (short, long, iso) in [
      ("500101000000Z", "19500101000000Z", "1950-01-01T00:00:00Z"),
      ("700101000000Z", "19700101000000Z", "1970-01-01T00:00:00Z"),
      ("991231235959Z", "19991231235959Z", "1999-12-31T23:59:59Z"),
      ("000229120000Z", "20000229120000Z", "2000-02-29T12:00:00Z"),
      ("240229010203Z", "20240229010203Z", "2024-02-29T01:02:03Z"),
      ("491231235959Z", "20491231235959Z", "2049-12-31T23:59:59Z"),
    ] {
      let date = try #require(calendar.date(from: iso))
      let expected = UnixTime(Int64(date.timeIntervalSince1970))
      let found = try Self.validity(Self.certificate([(0x17, short), (0x18, long)]))
      #expect(found.notBefore == expected && found.notAfter == expected, "\(iso)")
    }
    let ends = try Self.validity(Self.certificate([(0x18, "00000101000000Z"), (0x18, "99991231235959Z")]))
    #expect(ends.notBefore == UnixTime(-62_167_219_200))
    #expect(ends.notAfter == UnixTime(253_402_300_799))
  }

  @Test func refusesEveryOtherForm() throws {
    let good = "240229010203Z"
    #expect(throws: Never.self) { try Self.validity(Self.certificate([(0x17, good), (0x17, good)])) }
    for bad in [
      "", "2402290102Z", "240229010203", "2402290102030", "240229010203+", "24022901020 Z", "230229010203Z",
      "240001010203Z", "241301010203Z", "240100010203Z", "240132010203Z", "240431010203Z", "240229240203Z",
      "240229016003Z", "240229010260Z", "2402290102-3Z", "20240229010203Z", "240229010203z", "\u{0}40229010203Z",
    ] {
      #expect(throws: CodecError.self, "\(bad)") { try Self.validity(Self.certificate([(0x17, bad), (0x17, good)])) }
      #expect(throws: CodecError.self, "\(bad)") { try Self.validity(Self.certificate([(0x17, good), (0x17, bad)])) }
    }
    for bad in ["20230229010203Z", "19000229000000Z", "2024022901020Z", "20240229010203.5Z", good] {
      #expect(throws: CodecError.self, "\(bad)") { try Self.validity(Self.certificate([(0x17, good), (0x18, bad)])) }
    }
    for tag: UInt8 in [0x16, 0x0C, 0x04] {
      #expect(throws: CodecError.self) { try Self.validity(Self.certificate([(tag, good), (0x17, good)])) }
    }
    #expect(throws: CodecError.self) { try Self.validity(Self.certificate([(0x17, good)])) }
    #expect(throws: CodecError.self) {
      try Self.validity(Self.certificate([(0x17, good), (0x17, good)], after: [0x05, 0x00]))
    }
  }

  @Test func readsCertificatesFromPEM() throws {
    let armour = { (label: String, text: String) in "-----BEGIN \(label)-----\n\(text)\n-----END \(label)-----\n" }
    func contents(_ text: String) throws -> [[UInt8]] {
      let bytes = Array(text.utf8)
      return try X509Certificate.contents(ofPEM: bytes.span)
    }
    let two = "# root\r\n" + armour("CERTIFICATE", "MA AA") + "text\n" + armour("X509 CERTIFICATE", "BQA=")
    #expect(try contents(two) == [[0x30, 0x00, 0x00], [0x05, 0x00]])
    for (text, code) in [
      ("", CodecError.Code.missing), ("nothing", .missing), (armour("PRIVATE KEY", "MAAA"), .unsupported),
      (armour("CERTIFICATE", "MAAA") + armour("X509 CRL", "MAAA"), .unsupported),
      (armour("TRUSTED CERTIFICATE", "MAAA"), .unsupported),
      (armour("CERTIFICATE", "MA*A"), .invalidCharacter), ("-----BEGIN CERTIFICATE-----\nMAAA\n", .missing),
    ] {
      do {
        _ = try contents(text)
        Issue.record("\(text)")
      } catch { #expect((error as? CodecError)?.code == code, "\(text)") }
    }
  }
}
