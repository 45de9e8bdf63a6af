import AssayCodec
import Foundation
import TestSupport
import Testing

/// `jwt sign --x5c` and `jwt verify --roots`, with certificates that `openssl` made.
@Suite(.enabled(if: OpenSSLTool.path != nil)) struct JWTCertificateTests {
  /// A folder with `root.pem`, `chain.pem` (leaf and authority), `leaf.key` and others.
  private static let folder = Result { () throws -> URL in
    let folder = ToolRun.scratch.appending(path: "certificates")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let script = """
      set -e
      cd "$1"
      key() { openssl ecparam -name prime256v1 -genkey -noout -out $1.key; }
      root() { key $1; openssl req -x509 -new -key $1.key -subj "/CN=$1" -days 30 -out $1.pem; }
      issue() { key $2; printf '%b' "$3" >$2.ext; openssl req -new -key $2.key -subj "/CN=$2" -out $2.csr
        openssl x509 -req -in $2.csr -CA $1.pem -CAkey $1.key -CAcreateserial -days $4 -extfile $2.ext -out $2.pem; }
      root root; root otherRoot
      issue root middle 'basicConstraints=critical,CA:TRUE' 20
      issue middle leaf 'subjectAltName=DNS:id.example,URI:https://id.example' 10
      issue middle server 'extendedKeyUsage=serverAuth\\nsubjectAltName=DNS:id.example' 10
      issue middle authority 'basicConstraints=CA:TRUE\\nsubjectAltName=DNS:id.example' 10
      for name in leaf server authority; do cat $name.pem middle.pem >$name-chain.pem; done
      """
    let done = try ChildProcess.run("/bin/sh", ["-c", script, "sh", folder.path])
    guard done.status == 0 else { throw TestData.Missing(path: "certificates: \(done.errors)") }
    return folder
  }

  private static let time = Int(Date().timeIntervalSince1970) + 60

  private static func path(_ name: String) throws -> String { try folder.get().appending(path: name).path }

  private static func sign(_ name: String = "leaf", x5c: String? = nil) throws -> ToolRun {
    try ToolRun.run([
      "jwt", "sign", "--key", path("\(name).key"), "--x5c", path(x5c ?? "\(name)-chain.pem"), "--claims",
      #"{"iss":"me"}"#, "--expires-in", "5000000", "--at", "\(time)",
    ])
  }

  private static func verify(_ token: [UInt8], _ options: [String], at time: Int = time) throws -> ToolRun {
    try ToolRun.run(["jwt", "verify", "--issuer", "me", "--json", "--at", "\(time)"] + options + ["-"], input: token)
  }

  @Test func aTokenIsVerifiedByTheCertificateItBrings() throws {
    let token = try Self.sign()
    #expect(token.status == 0, "\(token.errors)")
    let roots = ["--roots", try Self.path("root.pem")]
    let leaf = try Self.path("leaf.pem")
    for signer in ["dns:ID.example", "uri:https://id.example", "cn:leaf", "file:\(leaf)", "any"] {
      let run = try Self.verify(token.output, roots + ["--signer", signer])
      #expect(run.status == 0, "\(signer): \(run.errors)")
      #expect(run.text.contains("3 certificates up to a trusted one"))
    }
    let server = try Self.sign("server")
    let options = roots + ["--signer", "dns:id.example", "--purpose", "1.3.6.1.5.5.7.3.1", "--alg", "ES256,RS256"]
    #expect(try Self.verify(server.output, options).status == 0)
  }

  @Test func everyRefusalIsExplained() throws {
    let token = try Self.sign().output
    let (root, dns) = (try Self.path("root.pem"), ["--signer", "dns:id.example"])
    let day = 86400
    let rows: [(code: String, field: String, token: [UInt8], options: [String], time: Int, says: String)] = [
      (
        "certificateRefused", "x5c", token, ["--roots", root] + dns, Self.time + 11 * day,
        "certificate 0 (0 is the first): it has expired at the time of the check, by 86"
      ),
      (
        "certificateRefused", "x5c", token, ["--roots", try Self.path("otherRoot.pem")] + dns, Self.time,
        "certificate 1 (0 is the first): its issuer is none of the trust anchors"
      ),
      (
        "certificateRefused", "x5c", try Self.sign(x5c: "leaf.pem").output, ["--roots", root] + dns, Self.time,
        "have the issuer write every certificate between its own and the root"
      ),
      (
        "certificateNotForSigning", "extKeyUsage", try Self.sign("server").output, ["--roots", root] + dns, Self.time,
        "--purpose"
      ),
      (
        "certificateNotForSigning", "basicConstraints", try Self.sign("authority").output, ["--roots", root] + dns,
        Self.time, "an authority's"
      ),
      (
        "wrongSigner", "subjectAltName", token, ["--roots", root, "--signer", "dns:other.example"], Self.time,
        "expected other.example, it says id.example"
      ),
      (
        "wrongSigner", "subjectAltName", token, ["--roots", root, "--signer", "uri:a\u{1B}"], Self.time,
        #"expected a\u{1B}, it says https://id.example"#
      ),
      (
        "wrongSigner", "subject", token, ["--roots", root, "--signer", "cn:LEAF"], Self.time,
        "expected LEAF, it says leaf"
      ),
      (
        "wrongSigner", "x5c", token, ["--roots", root, "--signer", "file:\(root)"], Self.time,
        "the certificate that was given"
      ),
      ("certificateMismatch", "x5t", try Self.named(token), ["--roots", root] + dns, Self.time, "the token says AAAA"),
      (
        "missing", "x5c", Array("eyJhbGciOiJFUzI1NiJ9.e30.AA".utf8), ["--roots", root] + dns, Self.time,
        "have the issuer write its certificates"
      ),
    ]
    for row in rows {
      let run = try Self.verify(row.token, row.options, at: row.time)
      run.expectRefusal(row.code)
      #expect(run.status == 1 && run.json?["code"]?.string?.string == row.code, "\(run.errors)")
      #expect(run.json?["field"]?.string?.string == row.field)
      #expect(run.errors.contains(row.says), "\(run.errors)")
    }
  }

  /// The token with an `x5t` that nobody signed.
  private static func named(_ token: [UInt8]) throws -> [UInt8] {
    var parts = token.split(separator: UInt8(ascii: "."))
    let header = try Base64URL.decode(Array(parts[0]).span)
    let named = Array(#"{"x5t":"AAAA","#.utf8) + header.dropFirst()
    parts[0] = Base64URL.encode(named.span).utf8[...]
    return Array(parts.joined(separator: [UInt8(ascii: ".")]))
  }

  @Test func whatIsMissingOrContradictoryIsWrongUsage() throws {
    let token = try Self.sign().output
    let roots = ["--roots", try Self.path("root.pem")]
    let secret = try ToolRun.file(Array(#"{"kty":"oct","k":"\#(String(repeating: "A", count: 43))"}"#.utf8))
    let rows: [(options: [String], says: String)] = [
      ([], "--key is missing (or --roots)"), (roots, "--signer is missing"),
      (roots + ["--signer", "id.example"], "--signer takes dns:NAME"),
      (roots + ["--signer", "dns:"], "--signer takes dns:NAME"), (roots + ["--signer", "ip:1"], "--signer takes"),
      (["--signer", "any"], "--signer needs --roots"), (["--purpose", "1.2"], "--purpose needs --roots"),
      (roots + ["--key", secret, "--signer", "any"], "give either --key or --roots"),
      (roots + ["--signer", "any", "--alg", "HS256"], "HS256 needs a shared secret"),
      (roots + ["--signer", "any", "--purpose", "1.50"], "object identifier"),
      (roots + ["--signer", "any", "--purpose", "1.2.+3"], "object identifier"),
      (["--roots", secret, "--signer", "any"], "certificates in PEM are needed"),
    ]
    for row in rows {
      let run = try Self.verify(token, row.options)
      run.expectRefusal(row.says)
      #expect(run.status == 2 && run.errors.contains(row.says), "\(run.errors)")
    }
    let another = try Self.sign("leaf", x5c: "server.pem")
    another.expectRefusal("another certificate")
    #expect(another.status == 2)
  }
}
