internal import AssayCodec
internal import AssayCrypto
internal import AssayJOSE

/// `key inspect`: says what a key file holds, or what is wrong with it.
enum KeyInspect {
  static let command = Command(
    path: ["key", "inspect"], summary: "say what a key file holds, or what is wrong with it",
    options: [KeyLoading.passwordOption], operands: KeyLoading.operand,
    notes: ["Private numbers are never printed."],
    run: { arguments throws(Failure) in
      let file = try KeyLoading.read(arguments.operands.first ?? "-", passwordFile: arguments["--password-file"])
      var report = Report.done
      report.heading(heading(file))
      report.fact("kind", "kind", .string(UTF8Text(file.kind)))
      report.fact("private", "private", .bool(file.isPrivate), shown: file.isPrivate ? "yes: keep it secret" : "no")
      let format = (file.wasEncrypted ? "encrypted " : "") + file.format.name + (file.isPEM ? " in PEM" : "")
      report.fact("format", "format", .string(UTF8Text(format)))
      if let kid = file.kid { report.fact("kid", "kid", .string(kid)) }
      if let alg = file.alg { report.fact("alg", "alg", .string(alg)) }
      if let alg = file.coseAlg { report.fact("alg", "alg", .number(JSONNumber(alg))) }
      if let use = file.use { report.fact("use", "use", .string(use)) }
      if let operations = file.keyOps {
        report.fact("keyOps", "key_ops", .array(operations.map { .string($0) }))
      }
      let uses = uses(file)
      report.fact(
        "usableFor", "usable for", .array(uses.usable.map { .string($0.joseName) }),
        shown: uses.usable.isEmpty ? "no algorithm" : uses.usable.map(\.joseName.string).joined(separator: ", "))
      if let fault = uses.fault { report.warning("this key cannot be used: \(fault)") }
      return report
    })

  private static func heading(_ file: borrowing KeyFile) -> String {
    switch file.contents {
    case .symmetricKey: "a \(file.kind) key"
    default: "a \(file.isPrivate ? "private" : "public") key: \(file.kind)"
    }
  }

  /// The algorithms the key works with, if its file names one only that; if there are none, why not.
  private static func uses(_ file: borrowing KeyFile) -> (usable: [JWSAlgorithm], fault: KeyError?) {
    var usable: [JWSAlgorithm] = []
    var fault: KeyError?
    for algorithm in KeyLoading.algorithms {
      if let alg = file.alg, alg != algorithm.joseName { continue }
      do throws(KeyError) {
        if try makes(algorithm, file) { usable.append(algorithm) }
      } catch {
        // That it is another algorithm's kind of key says nothing about the key.
        if case .wrongKind = error.reason { continue }
        fault = error
      }
    }
    return (usable, usable.isEmpty ? fault : nil)
  }

  /// Whether a key for the algorithm can be made; false for another kind of key.
  private static func makes(_ algorithm: JWSAlgorithm, _ file: borrowing KeyFile) throws(KeyError) -> Bool {
    switch file.contents {
    case .symmetricKey(let secret):
      guard case .mac(let algorithm) = algorithm else { return false }
      _ = try MACKey(secret, for: algorithm)
    default:
      guard case .signature(let algorithm) = algorithm else { return false }
      if file.isPrivate {
        _ = try SigningKey(file, for: algorithm)
      } else {
        _ = try VerificationKey(try file.publicKey(), for: algorithm)
      }
    }
    return true
  }
}
