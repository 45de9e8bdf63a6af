internal import AssayCodec
internal import AssayCrypto
internal import AssayJOSE

/// `key generate`: makes a key pair.
enum KeyGenerate {
  private enum Format { case jwk, pem }

  static let command = Command(
    path: ["key", "generate"],
    summary: "make a key: the private one or the shared secret into a file, the public one printed as a JWK",
    options: [
      .option("--alg", "ALG", "one of \(KeyLoading.algorithmNames)"),
      .option("--out", "FILE", "where the private key goes; - prints it, and not the public one"),
      .option("--format", "FORMAT", "of the private key: jwk or pem (PKCS #8; default: jwk)"),
      .option("--kid", "KID", "the name of the key, for its JWK"),
      .option("--bits", "N", "length of an RSA modulus, even, 2048 to 8192 (default: 2048)"),
      .flag("--force", "replace FILE if it exists"),
    ],
    notes: [
      "The file is made so that only its owner can read it. Keep it secret; the printed public key is for everyone.",
      "HS256, HS384 and HS512 make a secret, which has no public half: who verifies with it can also sign.",
    ],
    run: { arguments throws(Failure) in
      guard let algorithm = try KeyLoading.algorithm(arguments) else {
        throw .usage("--alg is missing: one of \(KeyLoading.algorithmNames)")
      }
      let path = try arguments.required("--out")
      let format = try arguments.choice("--format", ["jwk": Format.jwk, "pem": .pem], default: .jwk)
      let bits = try arguments.integer("--bits", in: 2048...8192)
      guard bits == nil || algorithm.isRSA else { throw .usage("--bits is for RSA only") }
      guard (bits ?? 0).isMultiple(of: 2) else { throw .usage("--bits must be an even number") }
      if case .mac = algorithm, case .pem = format { throw .usage("--format pem is for key pairs only") }

      var report = Report.done
      let secret: SecretBytes
      do {
        switch algorithm {
        case .mac(let algorithm):
          let bytes = try Random.secret(algorithm.minimumSecretByteCount)
          secret = SymmetricJWK(bytes, kid: arguments["--kid"], alg: algorithm.joseName, use: "sig").encoded()
        case .signature(let algorithm):
          let numbers = try SigningKey.generate(algorithm, modulusBits: bits ?? 2048).privateNumbers()
          let jwk = PrivateJWK(numbers, kid: arguments["--kid"], alg: algorithm.joseName, use: "sig")
          secret = encoded(jwk, format)
          report.fact("publicKey", "public key", .object(jwk.publicJWK.json))
          report.body(jwk.publicJWK.encoded() + [UInt8(ascii: "\n")])
        }
      } catch { throw .refused("the key could not be made: \(error)") }
      guard path != "-" else {
        try Output.write(secret)
        return nothingMore()
      }
      try Output.writeSecretFile(secret, to: path.string, replacing: arguments.has("--force"))
      report.fact("privateKeyFile", "private key", .string(path))
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

  /// The key was all there is to print.
  private static func nothingMore() -> Report {
    var report = Report.done
    report.body([])
    return report
  }
}

extension JWSAlgorithm {
  fileprivate var isRSA: Bool {
    guard case .signature(let algorithm) = self else { return false }
    return switch algorithm.scheme {
    case .rsaPKCS1, .rsaPSS: true
    case .ecdsa, .edDSA: false
    }
  }
}
