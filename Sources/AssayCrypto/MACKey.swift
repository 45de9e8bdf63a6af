public import AssayCodec

/// A secret that makes and checks authentication tags, with the one algorithm it is for.
///
/// Whoever holds it can sign as well as verify. Copies share the secret, which is wiped when the last one goes away. It may be
/// used from any number of threads.
public struct MACKey: Sendable {
  /// The algorithm the secret is for.
  public let algorithm: MACAlgorithm

  private let shared: Shared

  /// Makes a key of a secret, which is copied.
  ///
  /// The secret must have at least `minimumSecretByteCount` bytes. `unsafelyAllowingShortSecret` takes shorter ones, for peers
  /// that give no better: a short secret is guessed from a single token, and then anyone signs. An empty one is never taken.
  /// Neither is the content of a key file: public keys are in everyone's hands, and libraries that took their text for an HMAC
  /// secret let everyone sign (CVE-2017-11424, CVE-2022-29217).
  /// - Throws: `KeyError`: `secretTooShort`, `keyFileAsSecret`.
  public init(
    _ secret: borrowing SecretBytes, for algorithm: MACAlgorithm, unsafelyAllowingShortSecret: Bool = false
  ) throws(KeyError) {
    let minimum = unsafelyAllowingShortSecret ? 1 : algorithm.minimumSecretByteCount
    guard secret.count >= minimum else { throw KeyError(.secretTooShort(bytes: secret.count, minimum: minimum)) }
    guard !secret.withSpan({ KeyFile.isOne($0) }) else { throw KeyError(.keyFileAsSecret) }
    do throws(CryptoError) {
      shared = Shared(try HMACKey(secret, algorithm.digest))
    } catch {
      throw KeyError(.refused)
    }
    self.algorithm = algorithm
  }

  /// The tag of `message`, as long as the algorithm's digest.
  public func tag(for message: Span<UInt8>) throws(CryptoError) -> [UInt8] { try shared.hmac.authenticate(message) }

  /// Whether `tag` is this key's tag of `message`, all of it, compared in constant time.
  ///
  /// `true` proves that whoever made the tag held the secret. It does not say which of the holders, nor when.
  public func isValid(_ tag: Span<UInt8>, for message: Span<UInt8>) -> Bool {
    guard let expected = try? shared.hmac.authenticate(message) else { return false }
    return constantTimeEqual(expected.span, tag)
  }

  private final class Shared: Sendable {
    let hmac: HMACKey
    init(_ hmac: consuming HMACKey) { self.hmac = hmac }
  }
}

extension KeyFile {
  /// Whether bytes are what a key file holds: one that can be read, or text that begins as such files do.
  fileprivate static func isOne(_ bytes: Span<UInt8>) -> Bool {
    for beginning in beginnings where bytes.begins(with: beginning) { return true }
    do throws(KeyError) {
      _ = try KeyFile.read(bytes)
      return true
    } catch {
      return error.reason == .encrypted
    }
  }

  /// PEM, also where it cannot be read, and OpenSSH's public keys.
  private static let beginnings = ["-----BEGIN ", "ssh-", "ecdsa-sha2-", "sk-ssh-", "sk-ecdsa-"].map { Array($0.utf8) }
}

extension Span<UInt8> {
  /// Whether these bytes come first, after white space.
  fileprivate func begins(with beginning: [UInt8]) -> Bool {
    guard let start = indices.first(where: { self[$0] != 0x20 && !(0x09...0x0D).contains(self[$0]) }),
      beginning.count <= count - start
    else { return false }
    return beginning.indices.allSatisfy { self[start + $0] == beginning[$0] }
  }
}
