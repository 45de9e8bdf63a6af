import AssayCodec
import AssayCrypto
import TestCertificates

/// A root, an authority below it and a certificate of that.
struct TestHierarchy {
  let root: Authority, middle: Authority
  let leafKey: SigningKey
  let rootDER: [UInt8], middleDER: [UInt8], leafDER: [UInt8]

  /// 2026-01-01T00:00:00Z.
  static let time = UnixTime(1_767_225_600)

  init(
    middle middleExtensions: [Authority.Extension] = [.authority()],
    leaf extensions: [Authority.Extension] = [.endEntity]
  ) throws {
    root = try Authority("Root")
    middle = try Authority("Middle")
    leafKey = try SigningKey.generate(.es256)
    rootDER = try root.root()
    middleDER = try root.certificate(for: middle, middleExtensions)
    leafDER = try middle.certificate(for: "Leaf", leafKey, extensions)
  }

  func anchors() throws -> TrustAnchors { try TrustAnchors(certificates: [rootDER]) }
}

/// What became of a path: nil if it is valid.
func refusal(
  _ certificates: [[UInt8]], to anchors: TrustAnchors, at time: UnixTime = TestHierarchy.time,
  _ policy: CertificatePathPolicy = CertificatePathPolicy()
) -> CertificatePathError? {
  do throws(CertificatePathError) {
    _ = try CertificatePath(certificates: certificates).validated(to: anchors, at: time, policy)
    return nil
  } catch { return error }
}

extension CertificatePathError {
  /// The parts, for comparing.
  var parts: String { "\(code) \(depth.map(String.init) ?? "-")" }
}
