import Assay
import CBenchmarks
import Foundation

/// A metadata BLOB of the size of FIDO's, from the bytes that were fetched to the entry of one authenticator: how long that
/// takes and how much memory the process needs for it. There is no raw call to measure it beside.
enum MetadataCase {
  static let targetMs = 150.0
  static let targetMB = 60.0

  struct Figures {
    let megabytes: Double
    let ms: Double
    /// The most memory the process has had more than before it read the BLOB, the BLOB itself included.
    let peakMB: Double

    var isWithinTargets: Bool { ms <= targetMs && peakMB <= targetMB }
  }

  /// To be called first: the peak of memory is the process's own.
  static func measure() throws -> Figures {
    let now = UnixTime(1_768_435_200)
    let before = benchmark_peak_bytes()
    let (blob, certificate) = try make()
    let anchors = try TrustAnchors(certificates: [certificate])
    guard let wanted = MetadataIdentifier("00000102-0304-0506-0708-090a0b0c0d0e") else {
      throw Unusable(what: "AAGUID")
    }
    var policy = MetadataBLOBPolicy()
    policy.signerDNSName = nil
    var times: [Double] = []
    for _ in 0..<9 {
      let start = ContinuousClock.now
      let verified = try MetadataBLOB.verify(blob.span, to: anchors, downloadedAt: now, at: now, policy)
      guard try verified.payload.entries(for: wanted).count == 1 else { throw Unusable(what: "entry") }
      times.append(Double((ContinuousClock.now - start).components.attoseconds) / 1e15)
    }
    return Figures(
      megabytes: Double(blob.count) / 1e6, ms: times.sorted()[times.count / 2],
      peakMB: (Double(benchmark_peak_bytes()) - Double(before)) / 1e6)
  }

  /// A BLOB of 520 entries, half of it pictures, signed by the key of a certificate that is its own anchor.
  private static func make() throws -> (blob: [UInt8], certificate: [UInt8]) {
    let key = try SigningKey.generate(.es256)
    let certificate = try Self.certificate(key)
    let picture = "data:image/png;base64," + String(repeating: "iVBORw0KGgoAAAANSUhEUgAA", count: 373)
    let root = String(repeating: "MIICPTCCAeOgAwIBAgIJAOue", count: 25)
    let info = (0..<120).map { #""option\#($0)":{"supported":true,"values":[1,2,3]}"# }.joined(separator: ",")
    var payload = Array(#"{"legalHeader":"L","no":1,"nextUpdate":"2026-02-01","entries":["#.utf8)
    for number in 0..<520 {
      if number > 0 { payload += Array(",".utf8) }
      let digits = String(format: "%04x", number)
      payload += Array(
        (#"{"aaguid":"\#(digits)0102-0304-0506-0708-090a0b0c0d0e","metadataStatement":{"description":"Model","#
          + #""attestationRootCertificates":["\#(root)","\#(root)","\#(root)"],"icon":"\#(picture)","#
          + #""authenticatorGetInfo":{\#(info)}},"statusReports":[{"status":"FIDO_CERTIFIED","#
          + #""effectiveDate":"2020-01-01"}],"timeOfLastStatusChange":"2020-01-01"}"#).utf8)
    }
    payload += Array("]}".utf8)
    let header = #"{"alg":"ES256","x5c":["\#(Base64.encode(certificate.span).string)"]}"#
    var blob = Base64URL.encode(Array(header.utf8).span).utf8 + Array(".".utf8) + Base64URL.encode(payload.span).utf8
    let signature = try key.sign(blob.span, ecdsa: .fixedWidth)
    blob += Array(".".utf8) + Base64URL.encode(signature.span).utf8
    return (blob, certificate)
  }

  /// A certificate of a key for itself, with no extensions (RFC 5280, 4.1).
  private static func certificate(_ key: SigningKey) throws -> [UInt8] {
    func element(_ tag: UInt8, _ contents: [UInt8]) -> [UInt8] {
      let count = contents.count
      return [tag] + (count < 0x80 ? [] : count < 0x100 ? [0x81] : [0x82, UInt8(count >> 8)]) + [UInt8(count & 0xFF)]
        + contents
    }
    let algorithm = element(0x30, [0x06, 0x08, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x04, 0x03, 0x02])
    let name = element(
      0x30, element(0x31, element(0x30, [0x06, 0x03, 0x55, 0x04, 0x03] + element(0x0C, Array("M".utf8)))))
    let validity = element(0x17, Array("200101000000Z".utf8)) + element(0x17, Array("400101000000Z".utf8))
    let point =
      switch key.verificationKey.numbers {
      case .ec(_, let x, let y): [0x04] + x + y
      default: throw Unusable(what: "P-256 key")
      }
    let curve: [UInt8] = [
      0x06, 0x07, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x02, 0x01, 0x06, 0x08, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x03, 0x01, 0x07,
    ]
    let spki = element(0x30, element(0x30, curve) + element(0x03, [0] + point))
    let fields = [0x02, 0x01, 0x01] + algorithm + name + element(0x30, validity) + name + spki
    let signed = element(0x30, fields)
    return element(0x30, signed + algorithm + element(0x03, [0] + (try key.sign(signed.span, ecdsa: .der))))
  }
}
