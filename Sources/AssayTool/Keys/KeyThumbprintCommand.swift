internal import AssayCodec
internal import AssayCrypto

/// `key thumbprint`: names a key by what it is.
enum KeyThumbprintCommand {
  static let command = Command(
    path: ["key", "thumbprint"], summary: "print the SHA-256 thumbprint of a key (RFC 7638)",
    options: [
      KeyLoading.passwordOption, .flag("--uri", "as a URI (RFC 9278)"),
      .flag("--cose", "of the COSE_Key, not of the JWK (RFC 9679)"),
    ], operands: KeyLoading.operand,
    notes: ["A private key has the thumbprint of its public half."],
    run: { arguments throws(Failure) in
      let path = arguments.operands.first ?? "-"
      let file = try KeyLoading.read(path, passwordFile: arguments["--password-file"])
      let thumbprint: KeyThumbprint
      do {
        thumbprint = try made(of: file, cose: arguments.has("--cose"))
      } catch let error as KeyError { throw .refused(KeyLoading.words(error, path)) } catch {
        throw .refused("\(error)")
      }
      var report = Report.done
      report.fact("thumbprint", "thumbprint", .string(thumbprint.text))
      report.fact("uri", "URI", .string(thumbprint.uri))
      report.body((arguments.has("--uri") ? thumbprint.uri : thumbprint.text).string)
      return report
    })

  private static func made(of file: borrowing KeyFile, cose: Bool) throws -> KeyThumbprint {
    guard !cose else { return try KeyThumbprint(cose: file.publicKey()) }
    switch file.contents {
    case .symmetricKey(let secret): return try KeyThumbprint(jwk: secret)
    default: return try KeyThumbprint(jwk: file.publicKey())
    }
  }
}
