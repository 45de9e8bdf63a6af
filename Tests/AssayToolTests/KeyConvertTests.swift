import AssayCodec
import Foundation
import TestSupport
import Testing

/// Keys written in every format, and what the `openssl` command says of them.
@Suite(.enabled(if: OpenSSLTool.path != nil, "the openssl command is not installed"))
struct KeyConvertTests {
  static func key(_ kind: String) throws -> (path: String, spki: [UInt8]) {
    let arguments =
      switch kind {
      case "RSA": ["-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:2048"]
      case "Ed25519", "Ed448": ["-algorithm", kind.uppercased()]
      default: ["-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:\(kind)"]
      }
    let pem = try OpenSSLTool.run(["genpkey"] + arguments)
    let spki = try OpenSSLTool.run("pkey", "-pubout", "-outform", "DER", input: pem)
    return (try ToolRun.file(pem, "key.pem"), spki)
  }

  static func convert(_ arguments: String..., input: [UInt8] = []) throws -> [UInt8] {
    let run = try ToolRun.run(["key", "convert"] + arguments, input: input)
    #expect(run.status == 0 && run.errors.isEmpty, "\(arguments): \(run.errors)")
    return run.output
  }

  @Test(arguments: ["RSA", "P-256", "P-384", "P-521", "secp256k1", "Ed25519", "Ed448"]) func publicUnlessToldOtherwise(
    _ kind: String
  ) throws {
    let (path, spki) = try Self.key(kind)
    for option in [[], ["--public"]] {
      #expect(try ToolRun.run(["key", "convert", path, "--to", "der"] + option).output == spki)
    }
    let pem = try Self.convert(path, "--to", "pem")
    #expect(pem == PEM.encode(.publicKey, spki.span))
    #expect(try OpenSSLTool.run("pkey", "-pubin", "-pubout", "-outform", "DER", input: pem) == spki)
    let jwk = try Self.convert(path, "--to", "jwk", "--kid", "k")
    #expect(try JWK(jwk.span).numbers.spki() == spki)
    #expect(try JWK(jwk.span).kid == "k")
    let cose = try Self.convert(path, "--to", "cose")
    #expect(try COSEKey(cose.span).numbers.spki() == spki)
    for copy in [pem, jwk, cose] { #expect(try Self.convert("-", "--to", "der", input: copy) == spki) }
    let report = try ToolRun.run(["key", "convert", path, "--to", "jwk", "--json"])
    #expect(report.json?["jwk"]?["kty"] != nil && report.json?["jwk"]?["d"] == nil)
    guard kind == "RSA" else { return }
    let pkcs1 = try Self.convert(path, "--to", "pem", "--as", "pkcs1")
    #expect(try OpenSSLTool.run("rsa", "-RSAPublicKey_in", "-pubout", "-outform", "DER", input: pkcs1) == spki)
  }

  @Test(arguments: ["RSA", "P-256", "P-384", "P-521", "secp256k1", "Ed25519", "Ed448"]) func privateOnDemand(
    _ kind: String
  ) throws {
    let (path, spki) = try Self.key(kind)
    let source = try [UInt8](Data(contentsOf: URL(filePath: path)))
    #expect(try Self.convert(path, "--to", "pem", "--private") == source)
    let jwk = try Self.convert(path, "--to", "jwk", "--private")
    #expect(try Self.convert("-", "--to", "pem", "--private", input: jwk) == source)
    let der = try Self.convert(path, "--to", "der", "--private")
    #expect(try OpenSSLTool.run("pkey", "-inform", "DER", "-pubout", "-outform", "DER", input: der) == spki)
    if !kind.hasPrefix("Ed") {
      let structure = kind == "RSA" ? "pkcs1" : "sec1"
      let traditional = try Self.convert(path, "--to", "pem", "--private", "--as", structure)
      #expect(try OpenSSLTool.run("pkey", "-pubout", "-outform", "DER", input: traditional) == spki)
      #expect(try Self.convert("-", "--to", "pem", "--private", input: traditional) == source)
    }
    let target = ToolRun.scratch.appending(path: UUID().uuidString).path
    #expect(try ToolRun.run(["key", "convert", path, "--to", "jwk", "--private", "--out", target]).status == 0)
    #expect(try [UInt8](Data(contentsOf: URL(filePath: target))) == jwk)
    #expect(try FileManager.default.attributesOfItem(atPath: target)[.posixPermissions] as? Int == 0o600)
  }

  @Test func passwords() throws {
    let (path, spki) = try Self.key("P-256")
    let password = try ToolRun.file(Array("correct horse\n".utf8), "password")
    let wrong = try ToolRun.file(Array("wrong\n".utf8), "password")
    let encrypted = try Self.convert(path, "--to", "pem", "--private", "--new-password-file", password)
    #expect(
      try OpenSSLTool.run("pkey", "-passin", "pass:correct horse", "-pubout", "-outform", "DER", input: encrypted)
        == spki)
    let file = try ToolRun.file(encrypted, "encrypted.pem")
    #expect(try Self.convert(file, "--to", "der", "--password-file", password) == spki)
    for (verb, more) in [("convert", ["--to", "der"]), ("inspect", []), ("thumbprint", [])] {
      let missing = try ToolRun.run(["key", verb, file] + more)
      missing.expectRefusal(verb)
      #expect(missing.status == 1 && missing.errors.contains("--password-file"), "\(missing.errors)")
      let refused = try ToolRun.run(["key", verb, file, "--password-file", wrong] + more)
      refused.expectRefusal(verb)
      #expect(refused.status == 1 && refused.errors.contains("password is wrong"), "\(refused.errors)")
      #expect(try ToolRun.run(["key", verb, file, "--password-file", password] + more).status == 0)
    }
    let piped = try ToolRun.run(["key", "inspect", file, "--password-file", "-"], input: Array("correct horse".utf8))
    #expect(piped.json == nil && piped.text.contains("encrypted PKCS #8 in PEM"))
    let token = try ToolRun.run(
      ["jwt", "sign", "--key", file, "--password-file", password, "--claims", "{}", "--expires-in", "60"])
    #expect(token.status == 0, "\(token.errors)")
  }

  @Test func thumbprints() throws {
    let key = Array(#"{"kty":"OKP","crv":"Ed25519","x":"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"}"#.utf8)
    let plain = try ToolRun.run(["key", "thumbprint", "-"], input: key)
    #expect(plain.text == "kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k\n")
    let uri = try ToolRun.run(["key", "thumbprint", "-", "--uri"], input: key)
    #expect(
      uri.text == "urn:ietf:params:oauth:jwk-thumbprint:sha-256:kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k\n")
    let cose = try ToolRun.run(["key", "thumbprint", "-", "--cose", "--json"], input: key)
    #expect(cose.json?["uri"]?.string?.string.hasPrefix("urn:ietf:params:oauth:ckt:sha-256:") == true)
    let secret = Array(#"{"kty":"oct","k":"AAAA"}"#.utf8)
    #expect(try ToolRun.run(["key", "thumbprint", "-"], input: secret).status == 0)
    #expect(try ToolRun.run(["key", "thumbprint", "-", "--cose"], input: secret).status == 1)
  }

  @Test(arguments: [
    [], ["--to", "xml"], ["--to", "jwk", "--as", "spki"], ["--to", "der", "--as", "pkcs8"],
    ["--to", "der", "--private", "--as", "spki"], ["--to", "cose", "--private"], ["--to", "pem", "--kid", "a"],
    ["--to", "pem", "--alg", "ES256"], ["--to", "jwk", "--public", "--private"],
    ["--to", "jwk", "--private", "--json"], ["--to", "pem", "--new-password-file", "/dev/null"],
    ["--to", "pem", "--private", "--as", "sec1", "--new-password-file", "/dev/null"],
  ]) func wrongUsage(_ arguments: [String]) throws {
    let (path, _) = try Self.key("P-256")
    let run = try ToolRun.run(["key", "convert", path] + arguments)
    run.expectRefusal("\(arguments)")
    #expect(run.status == 2, "\(arguments): \(run.errors)")
  }

  @Test func refusals() throws {
    let (path, spki) = try Self.key("P-256")
    let publicFile = try ToolRun.file(spki, "public.der")
    for arguments in [
      [publicFile, "--to", "pem", "--private"], [path, "--to", "pem", "--as", "pkcs1"],
      [path, "--to", "pem", "--private", "--as", "pkcs1"], [path, "--to", "jwk", "--alg", "RS256"],
      [try ToolRun.file(Array(#"{"kty":"oct","k":"AAAA"}"#.utf8)), "--to", "jwk"],
    ] {
      let run = try ToolRun.run(["key", "convert"] + arguments)
      run.expectRefusal("\(arguments)")
      #expect(run.status == 1, "\(arguments)")
    }
  }
}
