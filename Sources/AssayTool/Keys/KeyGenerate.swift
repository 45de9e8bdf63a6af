internal import AssayCodec
internal import AssayCrypto

/// `key generate`: makes a key pair.
enum KeyGenerate {
  private enum Format { case jwk, pem }

  static let command = Command(
    path: ["key", "generate"], summary: "make a key pair: the private key into a file, the public one printed as a JWK",
    options: [
      .option("--alg", "ALG", "one of \(KeyLoading.algorithmNames)"),
      .option("--out", "FILE", "where the private key goes; - prints it, and not the public one"),
      .option("--format", "FORMAT", "of the private key: jwk or pem (PKCS #8; default: jwk)"),
      .option("--kid", "KID", "the name of the key, for its JWK"),
      .option("--bits", "N", "length of an RSA modulus, even, 2048 to 8192 (default: 2048)"),
      .flag("--force", "replace FILE if it exists"),
    ],
    notes: [
      "The file is made so that only its owner can read it. Keep it secret; the printed public key is for everyone."
    ],
    run: { arguments throws(Failure) in
      guard let algorithm = try arguments.choice("--alg", KeyLoading.algorithms, default: nil) else {
        throw .usage("--alg is missing: one of \(KeyLoading.algorithmNames)")
      }
      let path = try arguments.required("--out")
      let format = try arguments.choice("--format", ["jwk": Format.jwk, "pem": .pem], default: .jwk)
      let bits = try arguments.integer("--bits", in: 2048...8192)
      guard bits == nil || algorithm.isRSA else { throw .usage("--bits is for RSA only") }
      guard (bits ?? 0).isMultiple(of: 2) else { throw .usage("--bits must be an even number") }

      let numbers: PrivateKeyNumbers
      do {
        numbers = try SigningKey.generate(algorithm, modulusBits: bits ?? 2048).privateNumbers()
      } catch { throw .refused("the key could not be made: \(error)") }
      let jwk = PrivateJWK(numbers, kid: arguments["--kid"], alg: algorithm.joseName, use: "sig")
      let secret = encoded(jwk, format)
      guard path != "-" else {
        try Output.write(secret)
        return nothingMore()
      }
      try Output.writeSecretFile(secret, to: path.string, replacing: arguments.has("--force"))
      var report = Report.done
      report.fact("publicKey", "public key", .object(jwk.publicJWK.json))
      report.fact("privateKeyFile", "private key", .string(path))
      report.body(jwk.publicJWK.encoded() + [UInt8(ascii: "\n")])
      return report
    })

  private static func encoded(_ jwk: borrowing PrivateJWK, _ format: Format) -> SecretBytes {
    switch format {
    case .jwk: return jwk.encoded()
    case .pem:
      let der = jwk.numbers.pkcs8()
      return der.withSpan { PEM.encodeSecret(.privateKey, $0) }
    }
  }

  /// The private key was all there is to print.
  private static func nothingMore() -> Report {
    var report = Report.done
    report.body([])
    return report
  }
}

extension SignatureAlgorithm {
  fileprivate var isRSA: Bool {
    switch self {
    case .rs256, .rs384, .rs512, .ps256, .ps384, .ps512: true
    default: false
    }
  }
}
