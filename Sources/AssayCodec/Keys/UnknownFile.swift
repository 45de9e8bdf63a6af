/// Says what a file that is no key looks like, so that its owner sees the mistake.
enum UnknownFile {
  static func looks(_ bytes: Span<UInt8>) -> Field {
    if isUTF16(bytes) { return "text in the encoding UTF-16 (save it as UTF-8)" }
    for (beginning, what) in beginnings where bytes.hasPrefix(beginning) { return what }
    return "none of PEM (it begins with -----BEGIN), DER, JWK and COSE_Key"
  }

  private static let beginnings: [(StaticString, Field)] = [
    ("ssh-", "an OpenSSH public key line (ssh-keygen -e -m PKCS8 -f FILE converts it)"),
    ("ecdsa-sha2-", "an OpenSSH public key line (ssh-keygen -e -m PKCS8 -f FILE converts it)"),
    ("eyJ", "a token (JWT)"),
    ("LS0tLS1CRUdJTi", "base64 of a PEM file (decode it once; it then begins with -----BEGIN)"),
    ("-----BEGIN%20", "PEM that is URL-encoded (decode it; it then begins with -----BEGIN and a space)"),
    ("-----BEGIN+", "PEM that is URL-encoded (decode it; it then begins with -----BEGIN and a space)"),
    ("<", "HTML or XML, and not PEM (it begins with -----BEGIN)"),
    ("http://", "a URL (give what it leads to); PEM begins with -----BEGIN"),
    ("https://", "a URL (give what it leads to); PEM begins with -----BEGIN"),
    ("/", "the path of a file (give what the file holds); PEM begins with -----BEGIN"),
    ("$", "a variable that was not replaced by its value; PEM begins with -----BEGIN"),
  ]

  /// With a byte order mark, or with every other byte zero as in Latin text.
  private static func isUTF16(_ bytes: Span<UInt8>) -> Bool {
    guard bytes.count >= 4 else { return false }
    if bytes.hasBytes([0xFF, 0xFE], at: 0) || bytes.hasBytes([0xFE, 0xFF], at: 0) { return true }
    return bytes[0] != 0 && bytes[1] == 0 && bytes[2] != 0 && bytes[3] == 0
  }
}
