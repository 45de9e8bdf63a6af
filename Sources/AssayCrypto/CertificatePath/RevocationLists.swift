internal import CAssayCrypto

/// Certificate revocation lists (RFC 5280, 5) in DER, read once for any number of paths.
///
/// One that cannot be read counts as if it had not been given. Copies share what was read, and may be used from any number
/// of threads.
public struct RevocationLists: Sendable {
  /// The lists in the order they were given.
  public let lists: [[UInt8]]
  let parsed: ParsedLists?

  /// The most lists.
  public static let maximumCount = 256
  /// The most bytes of all lists together.
  public static let maximumBytes = 1 << 24

  /// No lists.
  public static let none = RevocationLists()

  private init() {
    lists = []
    parsed = nil
  }

  /// Reads lists. Success does not say that any can be read, or is right and current.
  ///
  /// - Throws: `CertificatePathError`: `tooLarge`.
  public init(_ lists: [[UInt8]]) throws(CertificatePathError) {
    guard lists.count <= Self.maximumCount, lists.allSatisfy({ $0.count <= Self.maximumBytes }),
      lists.reduce(0, { $0 + $1.count }) <= Self.maximumBytes
    else { throw CertificatePathError(.tooLarge) }
    self.lists = lists
    parsed = try ParsedLists(lists)
  }
}

extension RevocationLists: Hashable {
  /// Whether both are the same lists in the same order.
  public static func == (a: RevocationLists, b: RevocationLists) -> Bool { a.lists == b.lists }

  /// Hashes the lists.
  public func hash(into hasher: inout Hasher) { hasher.combine(lists) }
}

/// Owns the lists of the C library.
@safe  // only `lend` hands out the pointer
final class ParsedLists: @unchecked Sendable {  // the C lists never change, and any thread may use them
  private let lists: OpaquePointer

  init(_ lists: [[UInt8]]) throws(CertificatePathError) {
    var made: OpaquePointer?
    let verdict = unsafe lists.withViews { unsafe assayc_lists_new($0, $1, &made) }
    guard verdict == ASSAYC_PATH_VALID, let owned = unsafe made else { throw CertificatePathError(verdict, depth: nil) }
    unsafe self.lists = owned
  }

  deinit { unsafe assayc_lists_free(lists) }

  /// Lends the lists to a C function; none if there are none.
  @unsafe static func lend<R>(_ lists: ParsedLists?, _ body: (OpaquePointer?) -> R) -> R {
    withExtendedLifetime(lists) { unsafe body(lists?.lists) }
  }
}
