import AssayCodec
import AssayOTP
import TestSupport
import Testing

/// The collection of `otpauth` URIs, with the name of each error.
@Suite(.enabled(if: TestData.hasExtra)) struct KeyURIVectorTests {
  /// Where our first fault is another than the collection's, which calls its names advisory. There is none but these.
  private static let otherNames: [String: OTPKeyError.Code] = [
    // The label has a plain `#`: what follows is no part of the query, and a fragment is no part of the format.
    "uri-084 strict": .invalidURI
  ]

  @Test func everyURIInBothModes() throws {
    let vectors = OTPVector.extra("otp/uri.json")
    #expect(vectors.count == 133)
    var accepted = ["lenient": 0, "strict": 0]
    for vector in vectors {
      let uri = vector.uri
      for (name, mode) in [("lenient", OTPAuthURI.Mode.lenient), ("strict", .strict)] {
        let expected = OTPVector(json: vector.json[UTF8Text(name)] ?? .null, file: vector.file)
        let id = "\(vector.string("id")) \(name)"
        do throws(OTPKeyError) {
          let read = try OTPAuthURI(uri.span, mode)
          #expect(expected.json["ok"] == true, "\(id)")
          accepted[name, default: 0] += 1
          if mode == .lenient { expectEqual(read, expected, id) }
        } catch {
          #expect(expected.json["ok"] == false, "\(id): \(error)")
          let code = Self.otherNames[id] ?? Self.codes[expected.string("error")]
          #expect(error.code == code, "\(id)")
          #expect((0...uri.count).contains(error.offset), "\(id)")
          expectNothingShown(error, of: uri, id)
        }
      }
    }
    #expect(accepted == ["lenient": 72, "strict": 41])
  }

  private func expectEqual(_ read: borrowing OTPAuthURI, _ expected: OTPVector, _ id: String) {
    let issuer = read.key.issuer?.string
    let labelIssuer = read.labelIssuer?.string
    #expect(issuer == (expected.has("issuer") ? expected.string("issuer") : nil), "\(id)")
    #expect(labelIssuer == (expected.has("label_issuer") ? expected.string("label_issuer") : nil), "\(id)")
    let account = read.key.account.string
    #expect(account == expected.string("account"), "\(id)")
    let secret = read.key.secret.withSpan { Base16.encode($0).string }
    #expect(secret == expected.string("secret_hex"), "\(id)")
    let (algorithm, digits) = (read.key.algorithm.name.string, read.key.digits)
    #expect(algorithm == expected.string("algorithm"), "\(id)")
    #expect(Int64(digits) == expected.int64("digits"), "\(id)")
    switch read.key.factor {
    case .time(let period): #expect(expected.string("type") == "totp" && period == expected.int64("period"), "\(id)")
    case .counter(let counter):
      #expect(expected.string("type") == "hotp" && counter == expected.uint64("counter"), "\(id)")
    }
    let isSteam = read.key.encoder == .steam
    #expect(isSteam == (expected.string("encoder") == "steam"), "\(id)")
    let others = read.otherParameters.map { "\($0.name.string)=\($0.value.string)" }
    let expectedOthers = expected.json["unknown"]?.object?.members.map {
      "\($0.name.string)=\($0.value.string?.string ?? "")"
    }
    #expect(others == expectedOthers, "\(id)")
    let warnings = read.warnings.map(\.name.string).sorted()
    #expect(warnings == expected.json["warnings"]?.array?.compactMap { $0.string?.string }, "\(id)")
  }

  /// No part of the URI of six characters or more, other than our own words, is in the error.
  private func expectNothingShown(_ error: OTPKeyError, of uri: [UInt8], _ id: String) {
    let text = String(decoding: uri.suffix(200), as: UTF8.self)
    var dumped = ""
    dump(error, to: &dumped)
    guard let secret = text.split(separator: "secret=").dropFirst().first?.split(separator: "&").first,
      secret.count >= 6
    else { return }
    for shown in [error.description, dumped] { #expect(!shown.contains(secret.prefix(6)), "\(id): \(shown)") }
  }

  private static let codes: [String: OTPKeyError.Code] = [
    "too_long": .tooLong, "invalid_uri": .invalidURI, "unsupported_scheme": .unsupportedScheme,
    "unsupported_type": .unsupportedType, "invalid_percent_encoding": .invalidPercentEncoding,
    "control_character": .controlCharacter, "duplicate_parameter": .duplicateParameter,
    "missing_secret": .missingSecret, "empty_secret": .emptySecret, "invalid_secret": .invalidSecret,
    "weak_secret": .weakSecret, "unsupported_algorithm": .unsupportedAlgorithm, "invalid_digits": .invalidDigits,
    "invalid_period": .invalidPeriod, "invalid_counter": .invalidCounter, "missing_counter": .missingCounter,
    "missing_label": .missingLabel, "colon_in_label": .colonInLabel, "issuer_mismatch": .issuerMismatch,
  ]
}

extension OTPVector {
  /// The URI, written out or by its recipe.
  var uri: [UInt8] {
    guard let recipe = json["uri_recipe"], recipe != .null else { return json["uri"]?.string?.utf8 ?? [] }
    let count = Int(exactly: recipe["count"]?.number?.int64 ?? 0) ?? 0
    let repeated = Array(repeating: recipe["repeat"]?.string?.utf8 ?? [], count: count).flatMap { $0 }
    return (recipe["prefix"]?.string?.utf8 ?? []) + repeated + (recipe["suffix"]?.string?.utf8 ?? [])
  }
}
