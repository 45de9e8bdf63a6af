internal import CAssayCrypto

/// The libraries that do the cryptography.
///
/// They are set up and tested with known answers at the first use of anything in this module. Where that fails,
/// every signature is invalid, every comparison is unequal, and everything else throws.
public enum CryptoLibraries {
  /// Whether the libraries are usable: new enough, set up, and every known-answer test passed.
  public static var areAvailable: Bool { assayc_is_available() == 1 }

  /// The version of OpenSSL in use, as it names itself.
  public static var openSSLVersion: String { unsafe String(cString: assayc_openssl_version_get0()) }

  /// The version of libsodium in use, as it names itself.
  public static var sodiumVersion: String { unsafe String(cString: assayc_sodium_version_get0()) }

  /// Why an operation that gave no result failed.
  static var fault: CryptoError { CryptoError(areAvailable ? .failed : .unavailable) }
}
