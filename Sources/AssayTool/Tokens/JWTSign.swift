internal import AssayCodec
internal import AssayCrypto
internal import AssayJOSE

/// `jwt sign`: makes a token.
enum JWTSign {
  static let command = Command(
    path: ["jwt", "sign"], summary: "make a signed token",
    options: [
      .option("--key", "FILE", "the private key, or a secret as a JWK (kty oct); - is standard input"),
      KeyLoading.passwordOption,
      .option("--alg", "ALG", "the algorithm (\(KeyLoading.defaults))"),
      .option("--claims", "JSON", "the claims as a JSON object; @FILE reads a file, - standard input"),
      .option("--expires-in", "S", "set iat to now and exp so many seconds later"),
      .option(
        "--x5c", "FILE", "write these certificates (PEM) into the header: the key's, then those that vouch for it"),
      .option("--kid", "KID", "name the key in the header (default: the kid of a JWK)"),
      .option("--type", "TYP", "typ of the header (default: JWT)"),
      .option("--at", "T", "with --expires-in: the time, in seconds since 1970 (default: now)"),
    ],
    notes: ["Claims that a strict verifier would refuse are not signed."],
    run: { arguments throws(Failure) in
      let path = try arguments.required("--key")
      let claims = try TokenInput.claims(try arguments.required("--claims"))
      let wanted = try KeyLoading.algorithm(arguments)
      let duration = try arguments.seconds("--expires-in", in: 1...Int64.max)
      guard duration != nil || !arguments.has("--at") else { throw .usage("--at needs --expires-in") }
      let now = try arguments.time("--at")
      let certificates = try arguments["--x5c"].map { (path) throws(Failure) in
        CertificatePath(certificates: try TrustedCertificateOptions.certificates(path))
      }
      let signer = try KeyLoading.signer(
        path, passwordFile: arguments["--password-file"], for: wanted, kid: arguments["--kid"],
        certificates: certificates)
      let type = arguments["--type"] ?? "JWT"
      do throws(JWTError) {
        var report = Report.done
        let token =
          if let duration {
            try signer.sign(claims, type: type, validFor: duration, from: now)
          } else { try signer.sign(claims, type: type) }
        report.fact("token", "token", .string(token))
        report.body(token.string)
        return report
      } catch {
        let hint = duration == nil && claims["exp"] == nil ? ": give --expires-in" : ""
        throw .refused("\(error)\(hint)")
      }
    })
}
