internal import AssayCodec
internal import AssayCrypto
internal import AssayJOSE

extension KeyConvert {
  /// What the options ask for.
  struct Settings {
    let isPrivate: Bool
    private let format: Format
    private let structure: Structure?
    private let alg: JWSAlgorithm?
    private let kid: UTF8Text?
    private let newPasswordFile: UTF8Text?

    init(_ arguments: Arguments) throws(Failure) {
      let formats: KeyValuePairs<UTF8Text, Format?> = ["jwk": .jwk, "pem": .pem, "der": .der, "cose": .cose]
      guard let format = try arguments.choice("--to", formats, default: nil) else {
        throw .usage("--to is missing: jwk, pem, der or cose")
      }
      isPrivate = arguments.has("--private")
      guard !isPrivate || !arguments.has("--public") else { throw .usage("--public and --private exclude each other") }
      guard !isPrivate || format != .cose else {
        throw .usage("a COSE_Key holds a public key here: leave out --private")
      }
      let isDER = format == .pem || format == .der
      let structures: KeyValuePairs<UTF8Text, Structure?> =
        isPrivate ? ["pkcs8": .pkcs8, "sec1": .sec1, "pkcs1": .pkcs1] : ["spki": .spki, "pkcs1": .pkcs1]
      structure = try arguments.choice("--as", structures, default: nil)
      guard isDER || structure == nil else { throw .usage("--as is for pem and der") }
      alg = try KeyLoading.algorithm(arguments)
      guard !isDER || alg == nil else { throw .usage("--alg is for jwk and cose") }
      kid = arguments["--kid"]
      guard format == .jwk || kid == nil else { throw .usage("--kid is for jwk") }
      self.format = format
      newPasswordFile = arguments["--new-password-file"]
      guard newPasswordFile == nil || isDER && isPrivate && (structure ?? .pkcs8) == .pkcs8 else {
        throw .usage("--new-password-file is for --private and PKCS #8 in pem or der")
      }
    }

    /// The password to encrypt the key with, if there is to be one.
    func newPassword() throws(Failure) -> SecretBytes? {
      guard let newPasswordFile else { return nil }
      return try KeyLoading.password(newPasswordFile)
    }

    /// Checks the key and writes it.
    func convert(
      _ file: consuming KeyFile, newPassword: borrowing SecretBytes?
    ) throws(KeyError) -> SecretBytes {
      if let jwk = try symmetricJWK(file) { return jwk }
      let numbers = try file.publicKey()
      let algorithm = try KeyLoading.checked(file, for: alg)
      let (kid, keyOps, use) = (kid ?? file.kid, file.keyOps, file.use)
      let named = alg?.joseName ?? file.alg
      guard isPrivate else {
        switch format {
        case .jwk: return Self.bytes(JWK(numbers, kid: kid, alg: named, use: use).encoded())
        case .cose:
          // COSE's EdDSA is Ed25519 in credentials (WebAuthn L3, 5.8.5).
          let isEd448 = if case .edwards(.ed448, _) = numbers { true } else { false }
          let alg = isEd448 ? SignatureAlgorithm.ed448 : algorithm
          return Self.bytes(try COSEKey(numbers, alg: alg.coseIdentifier).encoded())
        case .pem, .der: return try publicDER(numbers)
        }
      }
      let key = try file.privateKey()
      guard format == .jwk else { return try privateDER(key, newPassword) }
      return PrivateJWK(key, kid: kid, alg: named, use: use, keyOps: keyOps).encoded()
    }

    /// Nil if it is no symmetric key.
    private func symmetricJWK(_ file: borrowing KeyFile) throws(KeyError) -> SecretBytes? {
      switch file.contents {
      case .symmetricKey(let secret):
        guard isPrivate, format == .jwk else { throw KeyError(.symmetricKeyNotAllowed) }
        return SymmetricJWK(
          secret.clone(), kid: kid ?? file.kid, alg: alg?.joseName ?? file.alg, use: file.use, keyOps: file.keyOps
        ).encoded()
      default: return nil
      }
    }

    private func publicDER(_ numbers: PublicKeyNumbers) throws(KeyError) -> SecretBytes {
      let isPKCS1 = structure == .pkcs1
      guard let der = isPKCS1 ? numbers.pkcs1() : numbers.spki() else {
        throw KeyError(.unsupported(what: "PKCS #1 for a key that is no RSA key"))
      }
      return format == .der
        ? Self.bytes(der) : PEM.encodeSecret(isPKCS1 ? .rsaPublicKey : .publicKey, der.span)
    }

    private func privateDER(
      _ key: borrowing PrivateKeyNumbers, _ newPassword: borrowing SecretBytes?
    ) throws(KeyError) -> SecretBytes {
      switch newPassword {
      case .some(let password):
        let der = try key.encryptedPKCS8(password: password)
        return format == .der ? Self.bytes(der) : PEM.encodeSecret(.encryptedPrivateKey, der.span)
      case .none: break
      }
      switch structure {
      case .sec1: return try armoured(key.sec1(), .ecPrivateKey)
      case .pkcs1: return try armoured(key.pkcs1(), .rsaPrivateKey)
      default: return try armoured(key.pkcs8(), .privateKey)
      }
    }

    private func armoured(_ der: consuming SecretBytes?, _ label: PEM.Label) throws(KeyError) -> SecretBytes {
      guard let der else { throw KeyError(.unsupported(what: "this structure for this kind of key")) }
      guard format == .pem else { return der }
      return der.withSpan { PEM.encodeSecret(label, $0) }
    }

    /// A public key, printed.
    func report(_ bytes: [UInt8]) -> Report {
      var report = Report.done
      switch format {
      case .jwk: report.fact("jwk", "JWK", (try? JSONValue.decode(bytes.span)) ?? .null)
      case .pem: report.fact("pem", "PEM", .string(UTF8Text(unchecked: bytes)))
      case .der: report.fact("der", "DER", .string(Base64.encode(bytes.span)))
      case .cose: report.fact("cose", "COSE_Key", .string(Base64URL.encode(bytes.span)))
      }
      report.body(format == .jwk ? bytes + [UInt8(ascii: "\n")] : bytes)
      return report
    }

    private static func bytes(_ bytes: [UInt8]) -> SecretBytes { SecretBytes(copying: bytes.span) }
  }
}
