internal import AssayCodec
internal import AssayCrypto

/// `key convert`: writes a key in another format. It is the public key unless the private one is asked for.
enum KeyConvert {
  static let command = Command(
    path: ["key", "convert"], summary: "write a key in another format, the public one unless told otherwise",
    options: [
      .option("--to", "FORMAT", "jwk, pem, der or cose"),
      .flag("--public", "write the public key (the default)"),
      .flag("--private", "write the private key"),
      .option("--as", "STRUCTURE", "for pem and der: spki or pkcs1, with --private pkcs8, sec1 or pkcs1"),
      .option("--out", "FILE", "where the key goes, a new file (default: standard output)"),
      .option("--alg", "ALG", "for jwk and cose: the algorithm the key is for"),
      .option("--kid", "KID", "for jwk: the name of the key"),
      KeyLoading.passwordOption,
      .option("--new-password-file", "FILE", "for private pem and der: encrypt the key with this password (PKCS #8)"),
      .flag("--force", "replace the file of --out if it exists"),
    ], operands: KeyLoading.operand,
    notes: [
      "The key is checked first. DER and COSE_Key are bytes: redirect them, or name a file.",
      "A file for a private key is made so that only its owner can read it.",
    ],
    run: { arguments throws(Failure) in
      let settings = try Settings(arguments)
      let path = arguments.operands.first ?? "-"
      let file = try KeyLoading.read(path, passwordFile: arguments["--password-file"])
      let newPassword = try settings.newPassword()
      let output: SecretBytes
      do throws(KeyError) {
        output = try settings.convert(file, newPassword: newPassword)
      } catch { throw .refused(KeyLoading.words(error, path)) }
      if let target = arguments["--out"], target != "-" {
        try Output.writeSecretFile(output, to: target.string, replacing: arguments.has("--force"))
        var report = Report.done
        report.heading("the \(settings.isPrivate ? "private" : "public") key was written")
        report.fact("file", "file", .string(target))
        return report
      }
      guard !settings.isPrivate else {
        guard !arguments.has("--json") else {
          throw .usage("a private key is not put into a report: name a file with --out")
        }
        try Output.write(output)
        var report = Report.done
        report.body([])
        return report
      }
      return settings.report(output.withSpan { Array(copying: $0) })
    })

  enum Format { case jwk, pem, der, cose }
  enum Structure { case spki, pkcs1, pkcs8, sec1 }
}
