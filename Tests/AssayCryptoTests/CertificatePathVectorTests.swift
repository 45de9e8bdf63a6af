import AssayCodec
import AssayCrypto
import Foundation
import TestSupport
import Testing

/// The chains of attestations that others made, and of those made with other software for this purpose.
@Suite(.enabled(if: TestData.hasExtra)) struct CertificatePathVectorTests {
  typealias File = (name: String, json: [String: Any])

  static func files(_ folder: String) throws -> [File] {
    guard let extra = TestData.extra else { return [] }
    return try TestData.jsonFiles(in: extra.appending(path: "webauthn/\(folder)"))
      .filter { !$0.lastPathComponent.hasPrefix("_") }
      .map { ($0.deletingPathExtension().lastPathComponent, try TestData.json($0)) }
  }

  /// The certificates of a registration, also those in the header of a SafetyNet token.
  static func certificates(_ file: File) throws -> [[UInt8]] {
    let credential: [String: Any] = try file.json.get("credential")
    let response: [String: Any] = try credential.get("response")
    let text: String = try response.get("attestationObject")
    let object = try Base64URL.decode(text.utf8.span, [.padding])
    let statement = try CBORValue.decode(object.span, form: .wellFormed)["attStmt"]
    if let elements = statement?["x5c"]?.array { return elements.compactMap(\.bytes) }
    guard let token = statement?["response"]?.bytes, let header = token.split(separator: UInt8(ascii: ".")).first else {
      throw TestData.Missing(path: "x5c in \(file.name)")
    }
    let json = try Base64URL.decode(Array(header).span)
    let fields = try JSONSerialization.jsonObject(with: Data(json)) as? [String: Any] ?? [:]
    return try fields.get("x5c", as: [String].self).map { try Base64.decode($0.utf8.span) }
  }

  static func anchors(pem: String) throws -> TrustAnchors { try TrustAnchors(pem: pem.utf8.span) }

  static func time(_ iso: String) throws -> UnixTime {
    guard let date = ISO8601DateFormatter().date(from: iso) else { throw TestData.Missing(path: iso) }
    return UnixTime(Int64(date.timeIntervalSince1970))
  }

  @Test func verdictsOnMadeChains() throws {
    typealias Expected = CertificatePathError
    let refusals: [String: CertificatePathError] = [
      "gen2-chain-evil-root": Expected(.signatureInvalid, depth: 0),
      "gen2-chain-intermediate-not-ca": Expected(.notACertificateAuthority, depth: 1),
      "gen2-chain-leaf-expired": Expected(.expired, depth: 0),
      "gen2-chain-leaf-not-yet": Expected(.notYetValid, depth: 0),
      "gen2-chain-pathlen-exceeded": Expected(.pathLengthExceeded, depth: 2),
      "gen2-chain-self-signed-leaf": Expected(.selfSignedNotTrusted, depth: 0),
      "gen2-packed-aaguid-ext-critical": Expected(.unknownCriticalExtension, depth: 0),
      // Marked "policy": ours refuses it, and allows the root in the path.
      "gen2-chain-wrong-order": Expected(.wrongOrder, depth: 0),
    ]
    var counts: [String: Int] = [:]
    var seen: Set<String> = []
    for file in try Self.files("generated") {
      guard let trust = file.json["trust"] as? [String: Any] else { continue }
      let found = refusal(
        try Self.certificates(file), to: try Self.anchors(pem: trust.get("rootPem")),
        at: try Self.time(trust.get("validAt")))
      #expect(found == refusals[file.name], "\(file.name)")
      let expected: String = try trust.get("expectedTrust")
      if expected != "policy" { #expect((found == nil) == (expected == "trusted"), "\(file.name)") }
      counts[expected, default: 0] += 1
      if found != nil { seen.insert(file.name) }
    }
    #expect(counts == ["trusted": 17, "untrusted": 7, "policy": 2])
    #expect(seen == Set(refusals.keys))
  }

  @Test func chainsOfATPM() throws {
    let files = try Self.files("swtpm")
    for file in files {
      let anchors = try Self.anchors(pem: file.json.get("rootPem"))
      let certificates = try Self.certificates(file)
      let der = try #require(certificates.first)
      let leaf = try X509Certificate(der.span)
      #expect(refusal(certificates, to: anchors, at: try leaf.validity().notBefore) == nil, "\(file.name)")
    }
    #expect(files.count == 3)
  }

  @Test func publishedTestVectorsLeadToTheirRoot() throws {
    let root = try TestData.extraJSON("webauthn/w3c/_attestation_root_ca.json")
    let anchors = try TrustAnchors(certificates: [[UInt8](hex: root.get("attestation_ca_cert_der_hex"))])
    var count = 0
    for file in try Self.files("w3c") where (file.json["trust"] as? [String: Any])?["root"] != nil {
      let found = refusal(try Self.certificates(file), to: anchors)
      #expect(found == nil, "\(file.name)")
      count += 1
    }
    #expect(count == 10)
  }

  /// Under their true roots, a day after the last of them became valid: most have expired since.
  @Test func capturedChainsLeadToTheirRoots() throws {
    var (withRoot, withoutRoot) = (0, 0)
    for file in try Self.files("captured") {
      guard let trust = file.json["trust"] as? [String: Any], let window = trust["chainValidWindow"] as? String else {
        continue
      }
      let time = try Self.time(window.prefix(10) + "T00:00:00Z").adding(seconds: 86_400)
      let certificates = try Self.certificates(file)
      if let path = trust["rootFile"] as? String, let extra = TestData.extra {
        let pem = try String(contentsOf: extra.appending(path: "webauthn/\(path)"), encoding: .utf8)
        #expect(refusal(certificates, to: try Self.anchors(pem: pem), at: time) == nil, "\(file.name)")
        #expect(refusal(certificates, to: .none, at: time) == CertificatePathError(.noAnchor), "\(file.name)")
        withRoot += 1
      } else if trust["chainLinksVerify"] as? Bool == true, let last = certificates.last {
        // Of certification tests, whose root is not published; two with key identifiers that cannot be read, one with a
        // wrong one.
        let anchors = try TrustAnchors(certificates: [last])
        #expect(refusal(certificates, to: anchors, at: time) == nil, "\(file.name)")
        withoutRoot += 1
      }
    }
    #expect(withRoot == 47)
    #expect(withoutRoot == 8)
  }

  @Test func publishedRootsAreAnchors() throws {
    guard let extra = TestData.extra else { return }
    let files = try FileManager.default.contentsOfDirectory(
      at: extra.appending(path: "webauthn/roots"), includingPropertiesForKeys: nil
    ).filter { $0.pathExtension == "pem" }
    var text: [UInt8] = []
    for file in files {
      let pem = try TestData.bytes(file)
      let anchors = try TrustAnchors(pem: pem.span)
      #expect(anchors.count == 1, "\(file.lastPathComponent)")
      text += pem
    }
    let all = try TrustAnchors(pem: text.span)
    #expect(all.count == files.count)
    #expect(!files.isEmpty)
  }
}
