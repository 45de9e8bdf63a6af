internal import AssayCodec
internal import AssayCrypto
internal import AssayWebAuthn

/// What the verbs of `passkey` take about attestation: what a ceremony demands of it, which is fixed when it begins, and
/// whom its finisher trusts to vouch for authenticators.
enum AttestationArguments {
  static let demandOptions: [Command.Option] = [
    .flag("--require-trust", "refuse a credential unless someone trusted vouches for its authenticator"),
    .list("--aaguid", "IDS", "the models that are accepted, if someone trusted vouches, with commas (default: any)"),
    .list("--format", "WORDS", "the attestation statement formats that are accepted, with commas (default: any)"),
    .flag("--allow-sha1", "also RSA with SHA-1 in attestation, as TPMs of old Windows machines use it"),
    .flag("--allow-padded-signature", "also attestation signatures with zeros before their integers (YubiKey 5.8)"),
    .flag("--allow-firefox-117-key", "also Ed25519 keys in the form that only Firefox 117 wrote"),
    .flag("--allow-unknown-format", "also statements of unknown formats, which then count for nothing"),
  ]

  static let trustOptions: [Command.Option] = [
    .list("--trust", "WHO", "trust apple, google or microsoft to vouch, each in its own format; several with commas"),
    .list("--root", "FILE", "trust the certificates in FILE (PEM) to vouch; once for each maker"),
    .option("--metadata", "FILE", "a FIDO metadata BLOB: trust whom it names, refuse what it knows to be broken"),
    .option("--metadata-roots", "FILE", "who signs the BLOB (PEM; default: FIDO's service)"),
    .option("--metadata-signer", "HOST", MetadataSigner.help),
    .option("--metadata-grace", "DAYS", "how long the BLOB may be used after its next update was due; default: 0"),
  ]

  /// Whether anything is demanded for which there must be an attestation.
  static func demandsAttestation(_ arguments: Arguments) -> Bool {
    arguments.has("--require-trust") || arguments.has("--aaguid") || arguments.has("--format")
  }

  static func policy(_ arguments: Arguments) throws(Failure) -> AttestationPolicy {
    var policy = AttestationPolicy()
    if arguments.has("--require-trust") { policy.requirement = .trusted }
    if arguments.has("--aaguid") { policy.acceptedAAGUIDs = try aaguids(arguments) }
    if arguments.has("--format") {
      policy.acceptedFormats = try arguments.choices("--format", among: AttestationFormat.allCases, by: \.word)
        .map(\.word)
    }
    policy.allowsSHA1 = arguments.has("--allow-sha1")
    policy.allowsPaddedSignature = arguments.has("--allow-padded-signature")
    policy.allowsFirefox117Key = arguments.has("--allow-firefox-117-key")
    if arguments.has("--allow-unknown-format") { policy.unknownFormat = .ignore }
    return policy
  }

  /// Models, as UUIDs or as the tool prints them.
  private static func aaguids(_ arguments: Arguments) throws(Failure) -> [[UInt8]] {
    var aaguids: [[UInt8]] = []
    for text in arguments.list("--aaguid") {
      if case .aaguid(let aaguid)? = MetadataIdentifier(text) {
        aaguids.append(aaguid)
      } else {
        throw .usage("--aaguid must be UUIDs (8-4-4-4-12 hexadecimal digits) with commas between them")
      }
    }
    return aaguids
  }

  static func trust(_ arguments: Arguments, at time: UnixTime) throws(Failure) -> AttestationTrust {
    let known: [(word: UTF8Text, authority: AttestationTrust.Authority)] = [
      ("apple", .appleWebAuthn), ("google", .googleHardwareAttestation), ("microsoft", .microsoftTPM),
    ]
    var authorities = try arguments.choices("--trust", among: known, by: \.word).map(\.authority)
    for path in arguments.all("--root") {
      let name = path == "-" ? "standard input" : Folder.split(path).name.string
      authorities.append(.init(name: name, anchors: try anchors(path)))
    }
    return AttestationTrust(authorities, metadata: try metadata(arguments, at: time))
  }

  private static func metadata(
    _ arguments: Arguments, at time: UnixTime
  ) throws(Failure) -> AttestationTrust.Metadata? {
    guard let path = arguments["--metadata"] else {
      let option = (["--metadata-roots", "--metadata-signer", "--metadata-grace"] as [UTF8Text]).first {
        arguments.has($0)
      }
      if let option { throw .usage("\(option.string) is for --metadata, which is missing") }
      return nil
    }
    let signers = try arguments["--metadata-roots"].map { (path) throws(Failure) in try anchors(path) }
    var policy = MetadataBLOBPolicy()
    if let signer = arguments["--metadata-signer"] { policy.signerDNSName = MetadataSigner.host(signer) }
    if let days = try arguments.integer("--metadata-grace", in: 0...36_500) { policy.outOfDate = .accept(days: days) }
    let bytes = try Input.read(path)
    do throws(MetadataError) {
      return .init(
        try MetadataBLOB.verify(
          bytes.span, to: signers ?? .fidoMetadataService, downloadedAt: time, at: time, policy))
    } catch { throw .refused("\(CeremonyFile.shown(path)): \(error)") }
  }

  private static func anchors(_ path: UTF8Text) throws(Failure) -> TrustAnchors {
    let pem = try Input.read(path)
    do throws(CertificatePathError) {
      return try TrustAnchors(pem: pem.span)
    } catch { throw .refused("\(CeremonyFile.shown(path)): certificates in PEM are needed: \(error)") }
  }

  /// What an operator can do about a refusal; nil if nothing.
  static func advice(on error: WebAuthnError) -> String? {
    guard error.code == .attestationNotTrusted else { return nil }
    if case .requirement(let unmet)? = error.cause, unmet.found == ["not applicable"] {
      return "there is no attestation: ask the browser for it (passkey begin --attestation direct)"
    }
    return "if its maker is to be trusted, name it with --trust, --root or --metadata"
  }
}
