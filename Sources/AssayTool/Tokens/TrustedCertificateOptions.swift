internal import AssayCodec
internal import AssayCrypto
internal import AssayJOSE

/// The options by which `jwt verify` trusts certificates and not keys.
enum TrustedCertificateOptions {
  static let options: [Command.Option] = [
    .option(
      "--roots", "FILE",
      "instead of --key: certificates (PEM) that vouch for the issuer's, which the token brings in x5c; - is standard input"
    ),
    .option(
      "--signer", "WHO",
      "with --roots: what tells the issuer's certificate from others: \(forms)"),
    .option(
      "--purpose", "OID", "with --roots: the extended key usage a certificate must have, such as 1.3.6.1.5.5.7.3.1"),
  ]

  private static let forms = "dns:NAME, uri:URI, cn:NAME, file:FILE (itself, in PEM), or any (a private authority's)"

  /// The algorithms where none is named.
  private static let usual: [SignatureAlgorithm] = [.es256, .es384, .es512, .rs256, .ps256, .edDSA]

  /// What the options say; nil without `--roots`.
  static func read(_ arguments: Arguments, _ wanted: [JWSAlgorithm]) throws(Failure) -> TrustedCertificates? {
    guard let path = arguments["--roots"] else {
      for option in ["--signer", "--purpose"] as [UTF8Text] where arguments.has(option) {
        throw .usage("\(option.string) needs --roots")
      }
      return nil
    }
    guard !arguments.has("--key") else { throw .usage("give either --key or --roots") }
    var algorithms: [SignatureAlgorithm] = []
    for algorithm in wanted {
      guard case .signature(let algorithm) = algorithm else {
        throw .usage("\(algorithm.joseName.string) needs a shared secret, and certificates hold public keys")
      }
      algorithms.append(algorithm)
    }
    let signer = try signer(arguments)
    let purpose = try arguments["--purpose"].map { (text) throws(Failure) in try identifier(text) }
    let certificates = try certificates(path)
    do {
      return try TrustedCertificates(
        anchors: TrustAnchors(certificates: certificates), signer: signer,
        algorithms: algorithms.isEmpty ? usual : algorithms,
        extendedKeyUsage: purpose)
    } catch { throw .usage("\(KeyLoading.name(path)): \(error)") }
  }

  private static func signer(_ arguments: Arguments) throws(Failure) -> TrustedCertificates.Signer {
    let text = try arguments.required("--signer")
    if text == "any" { return .anyUnderPrivateAuthority }
    let parts = text.utf8.split(separator: UInt8(ascii: ":"), maxSplits: 1, omittingEmptySubsequences: false)
    guard let kind = parts.first, let rest = parts.dropFirst().first, !rest.isEmpty else {
      throw .usage("--signer takes \(forms)")
    }
    let value = UTF8Text(unchecked: Array(rest))
    switch UTF8Text(unchecked: Array(kind)) {
    case "dns": return .dnsName(value)
    case "uri": return .uri(value)
    case "cn": return .commonName(value)
    case "file": return .certificates(sha256: try digests(value))
    default: throw .usage("--signer takes \(forms)")
    }
  }

  private static func digests(_ path: UTF8Text) throws(Failure) -> Set<[UInt8]> {
    var digests: Set<[UInt8]> = []
    for certificate in try certificates(path) {
      do throws(CryptoError) {
        digests.insert(try Digest.sha256.hash(certificate.span))
      } catch { throw .usage("\(error)") }
    }
    return digests
  }

  /// Reads a file of certificates, into DER. A fault in it is one of the command.
  static func certificates(_ path: UTF8Text) throws(Failure) -> [[UInt8]] {
    let bytes = try Input.read(path)
    do throws(CodecError) {
      return try X509Certificate.contents(ofPEM: bytes.span)
    } catch { throw .usage("\(KeyLoading.name(path)): certificates in PEM are needed, and nothing else: \(error)") }
  }

  /// The contents of the OBJECT IDENTIFIER that is written with dots (X.690, 8.19): numbers below 2^32.
  private static func identifier(_ text: UTF8Text) throws(Failure) -> [UInt8] {
    let parts = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    let isPlain = text.utf8.allSatisfy { $0 == UInt8(ascii: ".") || (0x30...0x39).contains($0) }
    let numbers = parts.compactMap { UInt32(String(decoding: $0, as: UTF8.self)) }
    guard isPlain, numbers.count == parts.count, (2...32).contains(numbers.count), numbers[0] <= 2,
      numbers[0] == 2 ? numbers[1] < 1 << 16 : numbers[1] < 40
    else { throw .usage("--purpose takes an object identifier such as 1.3.6.1.5.5.7.3.1") }
    return ([numbers[0] * 40 + numbers[1]] + numbers[2...]).flatMap { number in
      var digits = [UInt8(number & 0x7F)]
      var rest = number >> 7
      while rest > 0 {
        digits.insert(UInt8(rest & 0x7F) | 0x80, at: 0)
        rest >>= 7
      }
      return digits
    }
  }
}
