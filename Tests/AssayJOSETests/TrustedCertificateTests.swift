import AssayCodec
import AssayCrypto
import AssayJOSE
import Foundation
import TestSupport
import Testing

/// Certificates that `openssl` made, once for all tests: a root, an authority below it, and certificates of that.
struct MadeCertificates: Sendable {
  let root: [UInt8], otherRoot: [UInt8], middle: [UInt8]
  let leaves: [String: (key: SigningKey, certificate: [UInt8])]

  static let made = Result { try MadeCertificates() }

  /// A moment at which all are valid.
  let time: UnixTime

  /// What each certificate below the authority says beside its name.
  private static let kinds = [
    (
      "signer", "ec",
      "keyUsage=digitalSignature\nsubjectAltName=DNS:Signer.example,DNS:*.wild.example,URI:https://id.example/a"
    ),
    ("rsa", "rsa", "keyUsage=critical,digitalSignature,keyEncipherment\nsubjectAltName=DNS:signer.example"),
    ("other", "ec", "keyUsage=digitalSignature\nsubjectAltName=DNS:other.example,email:signer.example"),
    ("silent", "ec", "basicConstraints=CA:FALSE"),
    (
      "authority", "ec",
      "basicConstraints=critical,CA:TRUE\nkeyUsage=digitalSignature,keyCertSign\nsubjectAltName=DNS:signer.example"
    ),
    ("encrypts", "ec", "keyUsage=keyEncipherment\nsubjectAltName=DNS:signer.example"),
    ("server", "ec", "extendedKeyUsage=serverAuth\nsubjectAltName=DNS:signer.example"),
    ("anyPurpose", "ec", "extendedKeyUsage=anyExtendedKeyUsage\nsubjectAltName=DNS:signer.example"),
  ]

  private static let script = """
    set -e
    cd "$1"
    key() { if [ "$2" = rsa ]; then openssl genrsa -out $1.key 2048; else openssl ecparam -name prime256v1 -genkey -noout -out $1.key; fi; }
    root() { key $1 ec; openssl req -x509 -new -key $1.key -subj "/CN=$1" -days 30 -out $1.pem -addext keyUsage=keyCertSign; }
    issue() { openssl req -new -key $2.key -subj "/O=Test/CN=$2" -out $2.csr
      openssl x509 -req -in $2.csr -CA $1.pem -CAkey $1.key -CAcreateserial -days $3 -extfile $2.ext -out $2.pem; }
    root root; root otherRoot
    key middle ec; issue root middle 30
    """

  init() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "assay-certificates-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    func write(_ name: String, _ text: String) throws { try Data(text.utf8).write(to: folder.appending(path: name)) }
    try write("middle.ext", "basicConstraints=critical,CA:TRUE\nkeyUsage=keyCertSign\n")
    for (name, _, text) in Self.kinds { try write("\(name).ext", text + "\n") }
    let lines = Self.kinds.map { "key \($0.0) \($0.1); issue middle \($0.0) 10" }
    try write("make.sh", Self.script + "\n" + lines.joined(separator: "\n") + "\n")
    let done = try ChildProcess.run("/bin/sh", [folder.appending(path: "make.sh").path, folder.path])
    guard done.status == 0 else { throw TestData.Missing(path: "certificates: \(done.errors)") }

    func pem(_ name: String) throws -> [UInt8] { [UInt8](try Data(contentsOf: folder.appending(path: name))) }
    func certificate(_ name: String) throws -> [UInt8] {
      let pem = try pem("\(name).pem")
      let anchors = try TrustAnchors(pem: pem.span)
      return anchors.certificates[0]
    }
    root = try certificate("root")
    otherRoot = try certificate("otherRoot")
    middle = try certificate("middle")
    var leaves: [String: (key: SigningKey, certificate: [UInt8])] = [:]
    for (name, kind, _) in Self.kinds {
      let text = try pem("\(name).key")
      let file = try KeyFile.read(text.span)
      let key = try SigningKey(file, for: kind == "rsa" ? .rs256 : .es256)
      leaves[name] = (key, try certificate(name))
    }
    self.leaves = leaves
    time = UnixTime(UnixTime.now().seconds + 60)
  }

  func leaf(_ name: String = "signer") throws -> (key: SigningKey, certificate: [UInt8]) {
    guard let leaf = leaves[name] else { throw TestData.Missing(path: name) }
    return leaf
  }
}

/// Tokens whose issuer is known by its certificate.
@Suite(.enabled(if: OpenSSLTool.path != nil)) struct TrustedCertificateTests {
  /// What a test changes one thing of.
  struct Case {
    var made: MadeCertificates
    /// Who signs, and whose certificate stands first.
    var signer = "signer", first = "signer"
    /// What stands after that; the middle authority unless changed.
    var rest: [[UInt8]]
    /// The whole of `x5c`, if it is not those.
    var x5c: JSONValue?
    var alg: UTF8Text = "ES256"
    /// Further members of the header.
    var header: JSONObject = [:]
    var anchors: [[UInt8]]
    var trusted = TrustedCertificates.Signer.dnsName("signer.example")
    var algorithms: [SignatureAlgorithm] = [.es256, .rs256]
    var purpose: [UInt8]?
    var time: UnixTime

    init(_ change: (inout Case) throws -> Void = { _ in }) throws {
      made = try MadeCertificates.made.get()
      rest = [made.middle]
      anchors = [made.root]
      time = made.time
      try change(&self)
    }

    func token() throws -> [UInt8] {
      var header: JSONObject = ["alg": .string(alg)]
      let certificates = [try made.leaf(first).certificate] + rest
      header["x5c"] = x5c ?? .array(certificates.map { base64($0) })
      for member in self.header.members { header[member.name] = member.value }
      let claims: JSONObject = [
        "iss": "https://id.example", "exp": .number(JSONNumber(time.seconds + 60)), "aud": "api",
      ]
      return try signed(
        header: JSONValue.object(header).encoded(), payload: JSONValue.object(claims).encoded(),
        with: made.leaf(signer).key)
    }

    func certificates() throws -> TrustedCertificates {
      try TrustedCertificates(
        anchors: TrustAnchors(certificates: anchors), signer: trusted, algorithms: algorithms, extendedKeyUsage: purpose
      )
    }

    func verified() throws -> VerifiedJWT {
      let issuer = TrustedIssuer("https://id.example", certificates: try certificates(), audience: "api")
      return try JWTVerifier(issuer).verify(try token(), at: time)
    }

    /// Why it is refused, the same with and without claims; nil if it is accepted.
    func refusal() throws -> JWTError? {
      let token = try token()
      let certificates = try certificates()
      var first: JWTError?
      do throws(JWTError) {
        _ = try JWS.verifyCompact(token.span, certificates: certificates, at: time)
      } catch { first = error }
      do {
        _ = try verified()
        #expect(first == nil)
      } catch let error as JWTError { #expect(error == first) }
      return first
    }
  }

  private static let serverAuth: [UInt8] = [0x2B, 0x06, 0x01, 0x05, 0x05, 0x07, 0x03, 0x01]

  static let accepted: [(String, @Sendable (inout Case) throws -> Void)] = [
    ("as it is", { _ in }),
    ("with the root in the path", { $0.rest.append($0.made.root) }),
    (
      "the authority itself is the anchor",
      {
        $0.anchors = [$0.made.middle]; $0.rest = []
      }
    ),
    ("one of several roots", { $0.anchors = [$0.made.otherRoot, $0.made.root] }),
    ("by URI", { $0.trusted = .uri("https://id.example/a") }),
    ("by common name", { $0.trusted = .commonName("signer") }),
    (
      "whatever the authority issues",
      {
        $0.trusted = .anyUnderPrivateAuthority; $0.signer = "silent"; $0.first = "silent"
      }
    ),
    (
      "by digest",
      { $0.trusted = .certificates(sha256: [try sha256($0.made.leaf().certificate), try sha256($0.made.root)]) }
    ),
    (
      "an RSA key",
      {
        $0.signer = "rsa"; $0.first = "rsa"; $0.alg = "RS256"
      }
    ),
    (
      "issued for any purpose",
      {
        $0.signer = "anyPurpose"; $0.first = "anyPurpose"
      }
    ),
    (
      "issued for the purpose",
      {
        $0.signer = "server"; $0.first = "server"; $0.purpose = serverAuth
      }
    ),
    ("with a kid of its own", { $0.header = ["kid": "whatever"] }),
    (
      "with its digests",
      {
        let certificate = try $0.made.leaf().certificate
        $0.header = ["x5t": try thumbprint(.sha1, certificate), "x5t#S256": try thumbprint(.sha256, certificate)]
      }
    ),
    (
      "with a key and addresses, none of which is used",
      {
        $0.header = [
          "jwk": .object(try jwk(.edDSA).json), "jku": "https://evil.example/jwks", "x5u": "https://evil.example/c.pem",
        ]
      }
    ),
  ]

  @Test(arguments: accepted.indices) func isAccepted(_ index: Int) throws {
    let (name, change) = Self.accepted[index]
    let one = try Case(change)
    #expect(try one.refusal() == nil, "\(name)")
    let verified = try one.verified()
    #expect(verified.certificatePath?.certificates.first == (try one.made.leaf(one.first).certificate), "\(name)")
    #expect(one.anchors.contains(verified.certificatePath?.anchor ?? []))
    #expect(verified.keyID == nil)
  }

  static let refused: [(String, JWTError.Code, JWTError.Step, Field, @Sendable (inout Case) throws -> Void)] = [
    ("expired", path(.expired, 0), .key, "x5c", { $0.time = $0.time.adding(seconds: 11 * 86400) }),
    ("not yet valid", path(.notYetValid, 2), .key, "x5c", { $0.time = $0.time.adding(seconds: -86400) }),
    ("another root", path(.unknownIssuer, 1), .key, "x5c", { $0.anchors = [$0.made.otherRoot] }),
    ("the middle one is missing", path(.unknownIssuer, 0), .key, "x5c", { $0.rest = [] }),
    (
      "in another order", path(.wrongOrder, 0), .key, "x5c", { $0.rest = [$0.made.root, $0.made.middle] }
    ),
    (
      "an authority signs", .certificateNotForSigning, .key, "basicConstraints",
      {
        $0.signer = "authority"; $0.first = "authority"
      }
    ),
    (
      "a key that encrypts", .certificateNotForSigning, .key, "keyUsage",
      {
        $0.signer = "encrypts"; $0.first = "encrypts"
      }
    ),
    (
      "for servers only", .certificateNotForSigning, .key, "extKeyUsage",
      {
        $0.signer = "server"; $0.first = "server"
      }
    ),
    ("not for the purpose", .certificateNotForSigning, .key, "extKeyUsage", { $0.purpose = serverAuth }),
    (
      "any purpose is not the purpose", .certificateNotForSigning, .key, "extKeyUsage",
      {
        $0.signer = "anyPurpose"; $0.first = "anyPurpose"; $0.purpose = serverAuth
      }
    ),
    (
      "another name", .wrongSigner, .key, "subjectAltName",
      {
        $0.signer = "other"; $0.first = "other"
      }
    ),
    (
      "no name at all", .wrongSigner, .key, "subjectAltName",
      {
        $0.signer = "silent"; $0.first = "silent"
      }
    ),
    ("a wildcard is no name", .wrongSigner, .key, "subjectAltName", { $0.trusted = .dnsName("a.wild.example") }),
    ("a host name is no URI", .wrongSigner, .key, "subjectAltName", { $0.trusted = .uri("Signer.example") }),
    ("case counts in a URI", .wrongSigner, .key, "subjectAltName", { $0.trusted = .uri("https://ID.example/a") }),
    ("another common name", .wrongSigner, .key, "subject", { $0.trusted = .commonName("Signer") }),
    (
      "no listed certificate", .wrongSigner, .key, "x5c",
      { $0.trusted = .certificates(sha256: [try sha256($0.made.middle)]) }
    ),
    ("signed by another's key", .invalidSignature, .signature, "", { $0.signer = "other" }),
    ("swapped for another certificate", .invalidSignature, .signature, "", { $0.signer = "silent" }),
    ("another's certificate", .wrongSigner, .key, "subjectAltName", { $0.first = "other" }),
    ("an algorithm of other keys", .noKeyForAlgorithm, .key, "x5c", { $0.alg = "RS256" }),
    ("an algorithm that is not allowed", .algorithmNotAllowed, .algorithm, "alg", { $0.algorithms = [.rs256] }),
    ("a MAC", .algorithmNotAllowed, .algorithm, "alg", { $0.alg = "HS256" }),
    ("none", .unsecured, .algorithm, "alg", { $0.alg = "none" }),
    ("no certificate", .missing, .header, "x5c", { $0.x5c = [] }),
    ("null", .wrongType, .header, "x5c", { $0.x5c = .null }),
    ("no array", .wrongType, .header, "x5c", { $0.x5c = base64($0.made.root) }),
    (
      "twelve certificates", .tooManyCertificates(limit: 8), .header, "x5c",
      { $0.rest = [[UInt8]](repeating: $0.made.middle, count: 11) }
    ),
    (
      "another x5t#S256", .certificateMismatch, .key, "x5t#S256",
      { $0.header = ["x5t#S256": try thumbprint(.sha256, $0.made.middle)] }
    ),
    (
      "another x5t", .certificateMismatch, .key, "x5t", { $0.header = ["x5t": try thumbprint(.sha1, $0.made.middle)] }
    ),
    ("an empty x5t", .certificateMismatch, .key, "x5t", { $0.header = ["x5t": ""] }),
    ("x5t#S256 is no text", .wrongType, .header, "x5t#S256", { $0.header = ["x5t#S256": 1] }),
  ]

  @Test(arguments: refused.indices) func isRefused(_ index: Int) throws {
    let (name, code, step, field, change) = Self.refused[index]
    let error = try Case(change).refusal()
    #expect(error?.code == code, "\(name)")
    #expect(error?.step == step, "\(name)")
    #expect(error?.field ?? "" == field, "\(name)")
  }

  /// Standard base64 alone, padded, without line breaks; and each text whole.
  @Test func certificatesAreStrictBase64OfDER() throws {
    let certificate = try Case().made.leaf().certificate
    let text = Base64.encode(certificate.span).string
    let bad = [
      Base64URL.encode(certificate.span).string + "_", text + "\n", text + " ", "=" + text, text + "AAAA",
      "-----BEGIN CERTIFICATE-----" + text,
    ]
    for text in bad {
      let error = try Case { $0.x5c = [.string(UTF8Text(text))] }.refusal()
      #expect(error?.malformation != nil && error?.field == "x5c" && error?.step == .header, "\(text)")
    }
    for count in stride(from: 0, to: certificate.count, by: 7) {
      let error = try Case { $0.x5c = [base64(Array(certificate.prefix(count)))] }.refusal()
      #expect(error?.malformation != nil && error?.field == "x5c", "\(count)")
    }
  }

  @Test func everyByteOfTheTokenCounts() throws {
    let one = try Case()
    let token = try one.token()
    let certificates = try one.certificates()
    for index in stride(from: 0, to: token.count, by: 3) {
      var altered = token
      altered[index] ^= 1
      #expect(throws: JWTError.self, "byte \(index)") {
        try JWS.verifyCompact(altered.span, certificates: certificates, at: one.time)
      }
    }
  }

  @Test func aTrustThatTrustsNobodyIsRefused() throws {
    let made = try MadeCertificates.made.get()
    let anchors = try TrustAnchors(certificates: [made.root])
    func reason(
      _ anchors: TrustAnchors, _ signer: TrustedCertificates.Signer, _ algorithms: [SignatureAlgorithm]
    ) -> TrustedIssuerError.Reason? {
      do throws(TrustedIssuerError) {
        _ = try TrustedCertificates(anchors: anchors, signer: signer, algorithms: algorithms)
        return nil
      } catch { return error.reason }
    }
    #expect(reason(anchors, .dnsName("a"), [.es256]) == nil)
    #expect(reason(.none, .dnsName("a"), [.es256]) == .noAnchors)
    #expect(reason(anchors, .dnsName("a"), []) == .noAlgorithms)
    for signer in [
      .dnsName(""), .uri(""), .commonName(""), .certificates(sha256: []), .certificates(sha256: [[1]]),
    ] as [TrustedCertificates.Signer] {
      #expect(reason(anchors, signer, [.es256]) == .noSigner)
    }
  }

  @Test func whatIsSignedWithCertificatesVerifies() throws {
    let one = try Case()
    let (key, certificate) = try one.made.leaf()
    let path = CertificatePath(certificates: [certificate, one.made.middle])
    let token = try JWTSigner(key: key, certificates: path).sign(
      ["iss": "https://id.example"], validFor: 60, from: one.time)
    let issuer = TrustedIssuer("https://id.example", certificates: try one.certificates(), audience: nil)
    #expect(try JWTVerifier(issuer).verify(token, at: one.time).certificatePath?.certificates.count == 3)
    // Who knows keys and no certificates takes it for a token like others.
    let known = try TrustedIssuer(
      "https://id.example", keys: [JWK(key.verificationKey.numbers)], algorithms: [.es256], audience: nil)
    #expect(try JWTVerifier(known).verify(token, at: one.time).certificatePath == nil)
    for certificates in [[], [one.made.middle], [[0x30]], [[UInt8]](repeating: certificate, count: 9)] as [[[UInt8]]] {
      #expect(throws: KeyError.self) {
        try JWTSigner(key: key, certificates: CertificatePath(certificates: certificates))
      }
    }
  }

  /// `x5t#S256` names a key among those of a set whose certificates are known.
  @Test func theDigestOfACertificateChoosesAKey() throws {
    let made = try MadeCertificates.made.get()
    func jwk(_ name: String, certified: Bool = true) throws -> JWK {
      let (key, certificate) = try made.leaf(name)
      var object = JWK(key.verificationKey.numbers).json
      if certified { object["x5c"] = [base64(certificate)] }
      return try JWK(.object(object))
    }
    func refusal(_ keys: [JWK], named name: String) throws -> JWTError? {
      let header: JSONObject = ["alg": "ES256", "x5t#S256": try thumbprint(.sha256, made.leaf(name).certificate)]
      let token = try signed(header: JSONValue.object(header).encoded(), payload: [1], with: made.leaf().key)
      let trusted = try TrustedKeys(keys, algorithms: [.es256])
      do throws(JWTError) {
        _ = try JWS.verifyCompact(token.span, keys: trusted)
        return nil
      } catch { return error }
    }
    let both = [try jwk("other"), try jwk("signer")]
    #expect(try refusal(both, named: "signer") == nil)
    expectCode(try refusal(both, named: "other"), .invalidSignature)
    expectCode(try refusal(both, named: "server"), .certificateMismatch, "x5t#S256")
    // A key whose certificate is not known could be meant.
    #expect(try refusal([try jwk("other"), try jwk("signer", certified: false)], named: "signer") == nil)
    #expect(try refusal([try jwk("signer", certified: false)], named: "other") == nil)
  }
}

private func path(_ code: CertificatePathError.Code, _ depth: Int) -> JWTError.Code {
  .certificateRefused(CertificatePathError(code, depth: depth))
}

private func sha256(_ bytes: [UInt8]) throws -> [UInt8] { try Digest.sha256.hash(bytes.span) }

private func thumbprint(_ digest: Digest, _ certificate: [UInt8]) throws -> JSONValue {
  let hash = try digest.hash(certificate.span)
  return .string(Base64URL.encode(hash.span))
}

private func base64(_ bytes: [UInt8]) -> JSONValue { .string(Base64.encode(bytes.span)) }
