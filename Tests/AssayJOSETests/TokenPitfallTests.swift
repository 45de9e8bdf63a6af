import Foundation
import TestSupport
import Testing

/// What went wrong with tokens and keys in other software, and what stands against each here: a test that would fail, or a
/// construction in which the fault cannot be written.
@Suite struct TokenPitfallTests {
  enum Answer {
    /// Tests, by the names of their functions.
    case tests([String])
    /// Why it cannot happen.
    case construction(String)
    /// Not part of what is here.
    case absent(String)
  }

  static let entries: [(number: Int, fault: String, answer: Answer)] = [
    (1, "r = s = 0 verifies (CVE-2022-21449)", .tests(["psychicSignaturesAreRefused", "scalarsOutOfRangeAreRefused"])),
    (
      2, "a public key becomes an HMAC secret (CVE-2017-11424, CVE-2022-29217)",
      .tests(["keyFilesAreNoSecrets", "whatLooksLikeAKeyFileIsNoSecret", "aPublicKeyVerifiesNoMAC"])
    ),
    (3, "no algorithm list means any (CVE-2024-37568)", .tests(["keysAndAlgorithmsAreRequired"])),
    (
      4, "an RSA key used as an empty HMAC secret (GHSA-q843-6q5f-w55g)",
      .tests(["aSignatureUnderAnotherAlgorithmsNameIsRefused", "anEmptyKeyIsRefused"])
    ),
    (5, "a key pinned to RS256 accepts RS512", .tests(["useAndOperationsAndAlgorithmOfAKeyBind"])),
    (6, "the key in the header is used (CVE-2026-27962)", .tests(["aKeyInTheHeaderIsNotUsed"])),
    (7, "unknown crit accepted (CVE-2025-59420)", .tests(["noExtensionIsUnderstood"])),
    (
      8, "crit or b64 from an unprotected header",
      .construction("only the compact form is read, whose whole header is protected")
    ),
    (10, "a short ECDSA signature accepted", .tests(["everyOtherLengthIsRefused"])),
    (11, "coordinates and numbers without leading zeros", .tests(["bothFormatsHoldTheSameNumbers", "badKeys"])),
    (12, "a short RSA signature read past its end", .tests(["everyOtherLengthIsRefused"])),
    (
      13, "expired is told before the signature is checked (CVE-2024-51744)",
      .tests(["claimsAreNotReadBeforeTheSignatureIsVerified"])
    ),
    (14, "a small-order Ed25519 key fits every message", .tests(["smallOrderPointsAreRefused"])),
    (
      15, "codes compared byte by byte (CVE-2024-25189)",
      .construction("codes and MACs are compared by constantTimeEqual alone, over sodium_memcmp")
    ),
    (16, "a second, weaker way to verify", .construction("every token goes through JWS.verifyCompact")),
    (17, "an encrypted token taken for a signed one (CVE-2023-51774)", .tests(["whatIsNoTokenIsRefused"])),
    (18, "alg from an unprotected header", .construction("the compact form has no unprotected header")),
    (19, "aud arrays (CVE-2020-26160)", .tests(["audIsOneStringOrSeveral", "anAudienceThatNoOneExpectsIsRefused"])),
    (20, "iss compared by substring (CVE-2024-53861)", .tests(["textsThatLookTheSameAreNotTheSame"])),
    (
      21, "a claim of the wrong type counts as absent (CVE-2026-25537)",
      .tests(["namesAreStrings", "datesAreNumbersInRange"])
    ),
    (22, "dates beyond the range of an integer", .tests(["datesAreNumbersInRange"])),
    (24, "a header that is not UTF-8 crashes", .tests(["everyByteAtEveryPlace", "parsingSuite"])),
    (25, "valid in the second in which it expires", .tests(["timesAreComparedToTheSecondAndWithinTheLeeway"])),
    (26, "the year 2038", .construction("UnixTime holds 64 bits")),
    (
      28, "a policy skipped for some serialisations",
      .construction("there is one serialisation and one check of claims")
    ),
    (29, "nbf off by default", .tests(["timesAreComparedToTheSecondAndWithinTheLeeway"])),
    (30, "jkt computed as a certificate's thumbprint", .absent("DPoP is not here")),
    (31, "splitting thousands of dots (CVE-2025-30204)", .tests(["whatIsNoTokenIsRefused", "theLimitIsCheckedFirst"])),
    (32, "deep JSON overflows the stack (CVE-2025-53864)", .tests(["depthAndSizeAreBounded"])),
    (33, "errors repeat an oversized token (CVE-2025-65015)", .construction("JWTError holds no text of its input")),
    (
      34, "a missing member crashes (CVE-2024-21664)",
      .construction("only the compact form is read; there are no optional parts")
    ),
    (35, "decompression and PBES2 counts", .absent("encrypted tokens are not here")),
    (36, "lenient base64url", .tests(["strictBase64URLHasOneTextForEachByte", "eachLeniencyAllowsOnlyItsOwn"])),
    (37, "white space inside tokens", .tests(["everyByteAtEveryPlace"])),
    (38, "repeated member names", .tests(["faultsHaveTheirKindAndPlace", "duplicatesAmongManyMembersAreFound"])),
    (39, "numbers through Double", .tests(["numbersAreExact"])),
    (40, "PEM with CRLF, on one line, indented", .tests(["everyCarriedCasePassesOrIsNamedInScope"])),
    (41, "PEM with literal backslash n", .tests(["everyCarriedCasePassesOrIsNamedInScope"])),
    (
      42, "errors that do not say what a key is",
      .tests(["everyCarriedCasePassesOrIsNamedInScope", "theMessageSaysWhatIsNeeded"])
    ),
    (43, "one bad key spoils a set", .tests(["keyCollection", "goodKeysAreKeptAndTheOthersListed"])),
    (45, "an unknown kid fetches the set each time", .construction("the engine fetches nothing")),
    (47, "a wrong Ed25519 thumbprint", .tests(["publishedThumbprint"])),
    (49, "private parts accepted in a set", .tests(["keyCollection"])),
    (50, "empty and short HMAC secrets", .tests(["anEmptyKeyIsRefused", "shortSecretsAreRefused"])),
    (51, "slow key decoding", .construction("keys are built from numbers, never through OpenSSL's decoders")),
    (52, "lock contention in fetches", .construction("digests and MACs are fetched once, when the library is set up")),
    (53, "overhead for small hashes", .construction("contexts are used again")),
    (
      54, "a second EVP_DigestVerify on one context fails",
      .construction("EVP_PKEY_verify is used, which may be called again, and a context that failed is freed")
    ),
    (55, "keys shared between threads", .tests(["oneVerifierServesManyTasks", "manyBoundaries"])),
    (56, "OpenSSL 3.0.4 writes past its memory (CVE-2022-2274)", .tests(["librariesAreAvailable"])),
  ]

  @Test func everyEntryHasAnAnswerThatExists() throws {
    let published = Set(1...56).subtracting([9, 23, 27, 44, 46, 48])
    #expect(Set(Self.entries.map(\.number)) == published)
    #expect(Self.entries.count == published.count)

    let tests = TestData.vectors.deletingLastPathComponent().appending(path: "Tests")
    let paths = try FileManager.default.subpathsOfDirectory(atPath: tests.path).filter { $0.hasSuffix(".swift") }
    var source = ""
    for path in paths { source += try String(contentsOf: tests.appending(path: path), encoding: .utf8) }
    for entry in Self.entries {
      guard case .tests(let names) = entry.answer else { continue }
      #expect(!names.isEmpty)
      for name in names { #expect(source.contains("func \(name)("), "\(entry.number): \(name)") }
    }
  }
}
