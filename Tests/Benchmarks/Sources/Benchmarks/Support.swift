import Assay
import CBenchmarks

struct Unusable: Error { let what: String }

/// The raw library's key for the same numbers.
func rawKey(_ numbers: PublicKeyNumbers) throws -> OpaquePointer {
  let key =
    switch numbers {
    case .ec(_, let x, let y): benchmark_key_p256(x, y)
    case .rsa(let modulus, let exponent): benchmark_key_rsa(modulus, modulus.count, exponent, exponent.count)
    case .edwards(_, let x): benchmark_key_ed25519(x)
    }
  guard let key else { throw Unusable(what: "raw key") }
  return key
}

/// The raw call.
func rawVerification(_ key: OpaquePointer, _ signature: [UInt8], _ message: [UInt8]) -> () -> Bool {
  { benchmark_verify(key, signature, signature.count, message, message.count) == 1 }
}

func sha256(_ message: [UInt8]) -> [UInt8] {
  var digest = [UInt8](repeating: 0, count: 32)
  benchmark_sha256(message, message.count, &digest)
  return digest
}

/// An ECDSA signature in the form OpenSSL takes, from the one JOSE has.
func der(fixedWidth signature: [UInt8]) -> [UInt8] {
  func integer(_ number: ArraySlice<UInt8>) -> [UInt8] {
    let digits = Array(number.drop { $0 == 0 })
    let content = (digits.first ?? 0x80) & 0x80 == 0 ? digits : [0] + digits
    return [0x02, UInt8(content.count)] + content
  }
  let content = integer(signature[..<32]) + integer(signature[32...])
  return [0x30, UInt8(content.count)] + content
}
