import AssayCodec
import Testing

@Suite struct JWKTests {
  /// RFC 7517, A.1 and A.2: the same two keys, public and private.
  static let rfc7517EC = """
    "kty":"EC","crv":"P-256","x":"MKBCTNIcKUSDii11ySs3526iDZ8AiTo7Tu6KPAqv7D4",\
    "y":"4Etl6SRW2YiLUrN5vfvVHuhp7x8PxltmWWlbbM4IFyM"
    """
  static let rfc7517ECPrivate = #""d":"870MB6gfuTJ4HtUnUvYMyJpr5eUZNP4Bk43bVdj3eAE""#
  static let rfc7517RSA = """
    "kty":"RSA","n":"0vx7agoebGcQSuuPiLJXZptN9nndrQmbXEps2aiAFbWhM78LhWx4cbbfAAtVT86zwu1RK7aPFFxuhDR1L6tSoc_BJECPebWKRXjB\
    ZCiFV4n3oknjhMstn64tZ_2W-5JsGY4Hc5n9yBXArwl93lqt7_RN5w6Cf0h4QyQ5v-65YGjQR0_FDW2QvzqY368QQMicAtaSqzs8KJZgnYb9c7d0zgdA\
    ZHzu6qMQvRL5hajrn1n91CbOpbISD08qNLyrdkt-bFTWhAI4vMQFh6WeZu0fM4lFd2NcRwr3XPksINHaQ-G_xBniIqbw0Ls1jF44-csFCur-kEgU8awa\
    pJzKnqDKgw","e":"AQAB"
    """
  static let rfc7517RSAPrivate = """
    "d":"X4cTteJY_gn4FYPsXB8rdXix5vwsg1FLN5E3EaG6RJoVH-HLLKD9M7dx5oo7GURknchnrRweUkC7hT5fJLM0WbFAKNLWY2vv7B6NqXSzUvxT0_YS\
    fqijwp3RTzlBaCxWp4doFk5N2o8Gy_nHNKroADIkJ46pRUohsXywbReAdYaMwFs9tv8d_cPVY3i07a3t8MN6TNwm0dSawm9v47UiCl3Sk5ZiG7xojPLu\
    4sbg1U2jx4IBTNBznbJSzFHK66jT8bgkuqsk0GjskDJk19Z4qwjwbsnn4j2WBii3RL-Us2lGVkY8fkFzme1z0HbIkfz0Y6mqnOYtqc0X4jfcKoAC8Q",\
    "p":"83i-7IvMGXoMXCskv73TKr8637FiO7Z27zv8oj6pbWUQyLPQBQxtPVnwD20R-60eTDmD2ujnMt5PoqMrm8RfmNhVWDtjjMmCMjOpSXicFHj7XOuV\
    IYQyqVWlWEh6dN36GVZYk93N8Bc9vY41xy8B9RzzOGVQzXvNEvn7O0nVbfs",\
    "q":"3dfOR9cuYq-0S-mkFLzgItgMEfFzB2q3hWehMuG0oCuqnb3vobLyumqjVZQO1dIrdwgTnCdpYzBcOfW5r370AFXjiWft_NGEiovonizhKpo9VVS7\
    8TzFgxkIdrecRezsZ-1kYd_s1qDbxtkDEgfAITAG9LUnADun4vIcb6yelxk",\
    "dp":"G4sPXkc6Ya9y8oJW9_ILj4xuppu0lzi_H7VTkS8xj5SdX3coE0oimYwxIi2emTAue0UOa5dpgFGyBJ4c8tQ2VF402XRugKDTP8akYhFo5tAA77Qe\
    _NmtuYZc3C3m3I24G2GvR5sSDxUyAN2zq8Lfn9EUms6rY3Ob8YeiKkTiBj0",\
    "dq":"s9lAH9fggBsoFR8Oac2R_E2gw282rT2kGOAhvIllETE1efrA6huUUvMfBcMpn8lqeW6vzznYY5SSQF7pMdC_agI3nG8Ibp1BUb0JUiraRNqUfLhc\
    QbJZuXb9nvm9dVr5RXR5Gr3hKi2pA7r5pc9VNdm0tW6k8Fi6gQ1SAPnaOGc",\
    "qi":"GyM_p6JrXySiz1toFgKbWV-JdI3jQ4ypu9rbMWx3rQJBfmt0FoYzgUIZEVFEcOqwemRN81zoDAaa-Bk0KWNGDjJHZDdDmFhW3AN7lI-puxk_mHZG\
    JOKTLwzr_mjkdHzpWN7wpr0RsW3YoKNmjOwAZnL1dyC2mvwfxUwcxZ4p-nU"
    """
  /// RFC 8037, A.1 and A.2.
  static let rfc8037 = #""kty":"OKP","crv":"Ed25519","x":"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo""#
  static let rfc8037Private = #""d":"nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A""#

  static let keys: [(publicPart: String, privatePart: String, kind: String)] = [
    (rfc7517EC, rfc7517ECPrivate, "P-256"), (rfc7517RSA, rfc7517RSAPrivate, "RSA (2048 bits)"),
    (rfc8037, rfc8037Private, "Ed25519"),
  ]

  @Test(arguments: keys) func publishedKeys(_ publicPart: String, _ privatePart: String, _ kind: String) throws {
    let publicText = Array("{\(publicPart)}".utf8)
    let jwk = try JWK(publicText.span)
    #expect(jwk.numbers.kind == kind)
    #expect(jwk.encoded() == publicText)
    #expect(jwk == JWK(jwk.numbers))
    #expect(throws: KeyError(.privateKeyRequired)) { _ = try PrivateJWK(publicText.span) }

    let privateText = Array("{\(publicPart),\(privatePart)}".utf8)
    let privateJWK = try PrivateJWK(privateText.span)
    #expect(privateJWK.publicJWK == jwk)
    #expect(privateJWK.numbers.publicKey == jwk.numbers)
    #expect(privateJWK.encoded().withSpan { Array(copying: $0) } == privateText)
    #expect(throws: KeyError(.privateKeyNotAllowed)) { try JWK(privateText.span) }
  }

  @Test func whatIsSaidAboutAKeyIsKept() throws {
    let text = Array(
      #"{\#(Self.rfc7517EC),"kid":"1","use":"enc","alg":"\u0045S256","key_ops":["verify"],"more":[null]}"#.utf8)
    let jwk = try JWK(text.span)
    #expect(jwk.kid == "1" && jwk.use == "enc" && jwk.alg == "ES256" && jwk.keyOps == ["verify"])
    let written = jwk.encoded()
    #expect(try JWK(written.span) == jwk)
    #expect(written == Array(#"{\#(Self.rfc7517EC),"kid":"1","use":"enc","alg":"ES256","key_ops":["verify"]}"#.utf8))
  }

  @Test func nullStandsForWhatIsLeftOut() throws {
    let text = Array(
      #"{\#(Self.rfc7517EC),"kid":null,"use":null,"alg":null,"key_ops":null,"x5c":null,"x5t":null}"#.utf8)
    #expect(try JWK(text.span) == JWK(JWK(Array("{\(Self.rfc7517EC)}".utf8).span).numbers))
  }

  // MARK: Symmetric keys

  /// RFC 7515, A.1.1.
  static let symmetric =
    #""kty":"oct","k":"AyM1SysPpbyDfgZld3umj1qzKObwVMkoqQ-EstJQLr_T-1qS0gZH75aKtMN3Yj0iPS4hcgUuTwjAzZr1Z9CAow""#

  @Test func symmetricKeys() throws {
    let text = Array(#"{\#(Self.symmetric),"kid":"s","use":"sig","alg":"HS512","key_ops":["verify"]}"#.utf8)
    let jwk = try SymmetricJWK(text.span)
    #expect(jwk.secret.count == 64 && jwk.kid == "s" && jwk.alg == "HS512" && jwk.keyOps == ["verify"])
    let written = jwk.encoded().withSpan { Array(copying: $0) }
    let again = try SymmetricJWK(written.span)
    #expect(again.secret.withSpan { Array(copying: $0) } == jwk.secret.withSpan { Array(copying: $0) })
    #expect(again.encoded().withSpan { Array(copying: $0) } == written)
    let file = try KeyFile.read(text.span)
    #expect(file.kind == "symmetric (64 bytes)" && file.isPrivate && file.alg == "HS512")
  }

  static let symmetricChanges: [(from: String, to: String, reason: KeyError.Reason)] = [
    (#""oct""#, #""oct","alg":"RS256""#, .contradiction("alg", "kty")),
    (#""oct""#, #""Oct""#, .invalid("kty (oct is needed)", .invalidValue)),
    (#""k":"#, #""K":"#, .invalid("k", .missing)),
    (#""k":""#, #""k":"="#, .invalid("k", .invalidCharacter)),
    (#""k":"AyM1SysPpbyDfgZld3umj1qzKObwVMkoqQ-E"#, #""alg":"HS512","k":""#, .secretTooShort(bytes: 37, minimum: 64)),
    (
      #""k":"AyM1SysPpbyDfgZld3umj1qzKObwVMkoqQ-EstJQLr_T-1qS0gZH75aKtMN3Yj0iPS4hcgUuTwjAzZr1Z9CAow""#, #""k":"""#,
      .secretTooShort(bytes: 0, minimum: 1)
    ),
  ]

  @Test func eachRuleRefusesSymmetricKeys() {
    for (from, to, reason) in Self.symmetricChanges {
      let text = Array("{\(Self.symmetric.replacing(from, with: to, maxReplacements: 1))}".utf8)
      var refusal: KeyError.Reason?
      do throws(KeyError) { _ = try SymmetricJWK(text.span) } catch { refusal = error.reason }
      #expect(refusal == reason, "\(from) → \(to)")
    }
  }

  /// Each changes one thing of an accepted key.
  static let changes: [(key: String, from: String, to: String, reason: KeyError.Reason)] = [
    (rfc7517EC, #""kty":"EC","#, "", .invalid("kty", .missing)),
    (rfc7517EC, #""EC""#, #""ec""#, .unsupported(what: "the key type (kty) of this JWK")),
    (rfc7517EC, #""EC""#, "2", .invalid("kty", .wrongType)),
    (rfc7517EC, #""EC""#, #""oct","k":"AAAA""#, .symmetricKeyNotAllowed),
    (rfc7517EC, #""EC""#, #""OKP""#, .unsupported(what: "the curve (crv) of this JWK")),
    (rfc7517EC, #""EC""#, #""EC","kid":7"#, .invalid("kid", .wrongType)),
    (rfc7517EC, #""EC""#, #""EC","alg":"ES384""#, .contradiction("alg", "crv")),
    (rfc7517EC, #""EC""#, #""EC","alg":"RS256""#, .contradiction("alg", "kty")),
    (rfc7517EC, #""EC""#, #""EC","alg":"HS256""#, .contradiction("alg", "kty")),
    (rfc7517RSA, #""RSA""#, #""RSA","alg":"ES256""#, .contradiction("alg", "kty")),
    (rfc8037, #""OKP""#, #""OKP","alg":"Ed448""#, .contradiction("alg", "crv")),
    (rfc7517EC, #""EC""#, #""EC","x5c":[]"#, .invalid("x5c", .missing)),
    (rfc7517EC, #""EC""#, #""EC","x5c":[1]"#, .invalid("x5c", .wrongType)),
    (rfc7517EC, #""EC""#, #""EC","x5c":"MII""#, .invalid("x5c", .wrongType)),
    (rfc7517EC, #""EC""#, #""EC","x5c":["MII"]"#, .invalid("x5c (base64 of certificates)", .invalidPadding)),
    (rfc7517EC, #""EC""#, #""EC","x5c":["MIIA"]"#, .invalid("x5c (base64 of certificates)", .malformed)),
    (
      rfc7517EC, #""EC""#, #""EC","x5c":[\#(Array(repeating: #""MIIA""#, count: 17).joined(separator: ","))]"#,
      .invalid("x5c", .tooLarge)
    ),
    (rfc7517EC, #""EC""#, #""EC","x5t":"AAAA""#, .wrongLength(field: "x5t", expected: 20, actual: 3)),
    (rfc7517EC, #""EC""#, #""EC","x5t#S256":"AAAA""#, .wrongLength(field: "x5t#S256", expected: 32, actual: 3)),
    (rfc7517EC, #""EC""#, #""EC","alg":["ES256"]"#, .invalid("alg", .wrongType)),
    (rfc7517EC, #""EC""#, #""EC","use":{}"#, .invalid("use", .wrongType)),
    (rfc7517EC, #""EC""#, #""EC","key_ops":"verify""#, .invalid("key_ops", .wrongType)),
    (rfc7517EC, #""EC""#, #""EC","key_ops":["verify",1]"#, .invalid("key_ops", .wrongType)),
    (rfc7517EC, #""EC""#, #""EC","key_ops":["verify","verify"]"#, .invalid("key_ops", .duplicateKey)),
    (rfc7517EC, #""EC""#, #""EC","d":null"#, .privateKeyNotAllowed),
    (rfc7517EC, #""EC""#, #""EC","kty":"EC""#, .malformed(CodecError(.duplicateKey, "JSON member name", at: 12))),
    (rfc7517EC, "P-256", "P-384", .wrongLength(field: "x", expected: 48, actual: 32)),
    (rfc7517EC, "P-256", "p-256", .unsupported(what: "the curve (crv) of this JWK")),
    (rfc7517EC, "P-256", "Ed25519", .unsupported(what: "the curve (crv) of this JWK")),
    (rfc7517EC, #""x":"MK"#, #""x":"AAMK"#, .invalid("x", .invalidLength)),
    (rfc7517EC, #""x":"MKBC"#, #""x":""#, .wrongLength(field: "x", expected: 32, actual: 29)),
    (rfc7517EC, #""x":"MKBC"#, #""x":"AAAAMKBC"#, .wrongLength(field: "x", expected: 32, actual: 35)),
    (rfc7517EC, "7D4", "7D5", .invalid("x", .nonZeroTrailingBits)),
    (rfc7517EC, "7D4", "7D4=", .invalid("x", .invalidCharacter)),
    (rfc7517EC, "7D4", " 7D4", .invalid("x", .invalidCharacter)),
    (rfc7517EC, #""y":"4"#, #""Y":"4"#, .invalid("y", .missing)),
    (rfc7517RSA, #""n":"0vx7"#, #""n":"AADS"#, .leadingZero("n")),
    (rfc7517RSA, "AQAB", "AAEAAQ", .leadingZero("e")),
    (rfc7517RSA, "AQAB", "", .invalid("e", .invalidLength)),
    (rfc7517RSA, #""AQAB""#, "65537", .invalid("e", .wrongType)),
    (rfc7517RSA, "AQAB\"", #"AQAB","oth":[]"#, .privateKeyNotAllowed),
    (rfc7517RSA, "AQAB\"", #"AQAB","p":"AQ""#, .privateKeyNotAllowed),
    (rfc8037, "Ed25519", "X25519", .unsupported(what: "a key for key agreement (crv X25519 or X448)")),
    (rfc8037, "Ed25519", "Ed448", .wrongLength(field: "x", expected: 57, actual: 32)),
    (rfc8037, "Ed25519", "P-256", .unsupported(what: "the curve (crv) of this JWK")),
    (rfc8037, #""OKP""#, #""EC""#, .unsupported(what: "the curve (crv) of this JWK")),
  ]

  @Test func eachRuleRefuses() {
    #expect(Self.changes.count == 46)
    for (key, from, to, reason) in Self.changes {
      let text = Array("{\(key.replacing(from, with: to, maxReplacements: 1))}".utf8)
      #expect(reasonOfRefusal(text) == reason, "\(from) → \(to)")
    }
  }

  static let privateChanges:
    [(key: (publicPart: String, privatePart: String, kind: String), String, String, KeyError.Reason)] = [
      (keys[0], #""d":"870M"#, #""d":""#, .wrongLength(field: "d", expected: 32, actual: 29)),
      (keys[0], #""d":"870M"#, #""d":"AAAA870M"#, .wrongLength(field: "d", expected: 32, actual: 35)),
      (keys[0], #"3eAE""#, #"3eAF""#, .invalid("d", .nonZeroTrailingBits)),
      (keys[0], #""d":""#, #""p":""#, .invalid("d", .missing)),
      (keys[1], #""p":"83i-"#, #""p":"AAAA83i-"#, .leadingZero("p")),
      (keys[1], #""qi":""#, #""qi_":""#, .invalid("qi", .missing)),
      (keys[1], #""d":""#, #""oth":[],"d":""#, .unsupported(what: "an RSA key of more than two primes (oth)")),
      (keys[1], #""dp":"G4sP"#, #""dp":"G4=P"#, .invalid("dp", .invalidCharacter)),
      (keys[2], #""d":"nWGx"#, #""d":""#, .wrongLength(field: "d", expected: 32, actual: 29)),
      (keys[2], #""x":"11qY"#, #""x":""#, .wrongLength(field: "x", expected: 32, actual: 29)),
    ]

  @Test func eachRuleRefusesPrivateKeys() {
    for (key, from, to, reason) in Self.privateChanges {
      let whole = "{\(key.publicPart),\(key.privatePart)}"
      let text = Array(whole.replacing(from, with: to, maxReplacements: 1).utf8)
      #expect(reasonOfPrivateRefusal(text) == reason, "\(from) → \(to)")
    }
    let bare = #"{\#(Self.rfc7517RSA),"d":"AQ"}"#
    #expect(
      reasonOfPrivateRefusal(Array(bare.utf8))
        == .unsupported(what: "an RSA private key without its prime factors p and q"))
  }

  @Test func whatIsNoJWKIsNamed() {
    #expect(reasonOfRefusal(Array("[]".utf8)) == .invalid("JWK (a JSON object)", .wrongType))
    #expect(reasonOfRefusal(Array(#"{"keys":[]}"#.utf8)) == .notAKey(what: "a JWK Set"))
    #expect(reasonOfRefusal(Array("{}".utf8)) == .invalid("kty", .missing))
  }

  @Test func everyTruncationAndEveryChangedByteIsRefusedOrAnotherKey() throws {
    for (publicPart, privatePart, _) in Self.keys {
      let text = Array("{\(publicPart)}".utf8)
      let jwk = try JWK(text.span)
      for count in 0..<text.count { #expect(reasonOfRefusal(Array(text.prefix(count))) != nil) }
      for index in text.indices {
        for change in [0x01, 0x20, 0x80] as [UInt8] {
          var changed = text
          changed[index] ^= change
          if let other = try? JWK(changed.span) { #expect(other != jwk) }
        }
      }
      let whole = Array("{\(publicPart),\(privatePart)}".utf8)
      for count in 0..<whole.count { #expect(reasonOfPrivateRefusal(Array(whole.prefix(count))) != nil) }
    }
  }

  private func reasonOfRefusal(_ text: [UInt8]) -> KeyError.Reason? {
    do throws(KeyError) {
      _ = try JWK(text.span)
      return nil
    } catch {
      return error.reason
    }
  }

  private func reasonOfPrivateRefusal(_ text: [UInt8]) -> KeyError.Reason? {
    do throws(KeyError) {
      _ = try PrivateJWK(text.span)
      return nil
    } catch {
      return error.reason
    }
  }
}
