internal import AssayCodec
internal import CAssayCrypto

/// The certificates that a relying party trusts.
///
/// Each is the end of a path, whatever it is: a root, an authority below a root, or the very certificate that is to be
/// trusted. They come from configuration only, never from what is being verified. To read them costs some 50 µs each;
/// copies share what was read, and may be used from any number of threads.
public struct TrustAnchors: Sendable {
  /// The anchors in DER, in the order they were given.
  public let certificates: [[UInt8]]
  let parsed: ParsedAnchors?

  /// The most anchors.
  public static let maximumCount = 4096
  /// The largest PEM text, in bytes.
  public static let maximumPEMBytes = 1 << 24

  /// No anchors: every path is refused.
  public static let none = TrustAnchors()

  /// How many there are.
  public var count: Int { certificates.count }

  private init() {
    certificates = []
    parsed = nil
  }

  /// Reads certificates in DER. Success does not say that any is valid or fit to issue others.
  ///
  /// - Throws: `CertificatePathError`: `tooManyCertificates`, `malformed` with the index of the first that cannot be read.
  public init(certificates: [[UInt8]]) throws(CertificatePathError) {
    guard certificates.count <= Self.maximumCount else { throw CertificatePathError(.tooManyCertificates) }
    for (index, certificate) in certificates.enumerated() where certificate.count > X509Certificate.maximumBytes {
      throw CertificatePathError(.malformed, depth: index)
    }
    self.certificates = certificates
    parsed = certificates.isEmpty ? nil : try ParsedAnchors(certificates)
  }

  /// Reads the CERTIFICATE blocks of a PEM text (RFC 7468, 5), of which there must be one or more, and none of another kind.
  ///
  /// - Throws: `CertificatePathError`: `tooLarge`, `malformed` without an index if the text is at fault.
  public init(pem: Span<UInt8>) throws(CertificatePathError) {
    guard pem.count <= Self.maximumPEMBytes else { throw CertificatePathError(.tooLarge) }
    let contents: [[UInt8]]
    do throws(CodecError) {
      contents = try X509Certificate.contents(ofPEM: pem)
    } catch {
      throw CertificatePathError(.malformed)
    }
    try self.init(certificates: contents)
  }
}

extension TrustAnchors: Hashable {
  /// Whether both are the same certificates in the same order.
  public static func == (a: TrustAnchors, b: TrustAnchors) -> Bool { a.certificates == b.certificates }

  /// Hashes the certificates.
  public func hash(into hasher: inout Hasher) { hasher.combine(certificates) }
}

/// Owns the anchors of the C library.
@safe  // the pointer never leaves this class
final class ParsedAnchors: @unchecked Sendable {  // the C anchors never change, and any thread may use them
  private let anchors: OpaquePointer

  init(_ certificates: [[UInt8]]) throws(CertificatePathError) {
    var made: OpaquePointer?
    var refused = 0
    let verdict = unsafe certificates.withViews { unsafe assayc_anchors_new($0, $1, &refused, &made) }
    guard verdict == ASSAYC_PATH_VALID, let owned = unsafe made else {
      throw CertificatePathError(verdict, depth: verdict == ASSAYC_PATH_MALFORMED ? refused : nil)
    }
    unsafe anchors = owned
  }

  deinit { unsafe assayc_anchors_free(anchors) }

  /// What the C library says about certificates, the leaf first.
  func check(
    _ certificates: [[UInt8]], at time: UnixTime, _ revocation: assayc_revocation, _ lists: ParsedLists?
  ) -> assayc_path_answer {
    var answer = assayc_path_answer()
    unsafe certificates.withViews { certificates, count in
      unsafe ParsedLists.lend(lists) { lists in
        var question = unsafe assayc_path_question(
          certificates: certificates, certificate_count: count, time: time.seconds, revocation: revocation,
          lists: lists)
        unsafe assayc_path_check(anchors, &question, &answer)
      }
    }
    return answer
  }
}

extension [[UInt8]] {
  /// Lends byte strings to a C function, as views of one copy of them all.
  @unsafe func withViews<R>(_ body: (UnsafePointer<assayc_bytes>?, Int) -> R) -> R {
    var joined: [UInt8] = []
    joined.reserveCapacity(reduce(0) { $0 + $1.count })
    for each in self { joined += each }
    return unsafe joined.withUnsafeBufferPointer { bytes in
      var offset = 0
      var views = unsafe [assayc_bytes]()
      for each in self {
        unsafe views.append(assayc_bytes(bytes: bytes.baseAddress.map { unsafe $0 + offset }, length: each.count))
        offset += each.count
      }
      return unsafe views.withUnsafeBufferPointer { unsafe body($0.baseAddress, $0.count) }
    }
  }
}
