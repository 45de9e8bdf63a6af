import AssayCodec
import AssayCrypto
import AssayWebAuthn
import TestAuthenticator
import Testing

/// Valid ceremonies of every format and algorithm, and every deviation from each: accepted or refused, with the reason.
struct DeviationTests {
  /// Every kind of attestation with every algorithm it can vouch for.
  static let kinds = TestAttestation.allCases.flatMap { attestation in
    attestation.algorithms.map { (attestation, $0) }
  }

  @Test func kindsAreCounted() { #expect(Self.kinds.count == 7 * 16 + 1 + 12) }

  @Test(arguments: kinds) func registersAndSignsIn(
    _ attestation: TestAttestation, _ algorithm: SignatureAlgorithm
  ) throws {
    let ceremony = RegistrationCeremony(attestation, algorithm)
    let registration = try ceremony.finish()
    #expect(registration.credential.publicKey == (try TestAuthenticator.coseKey(algorithm).encoded()))
    #expect(registration.attestation.format == attestation.fmt)
    var signIn = AuthenticationCeremony(algorithm)
    signIn.answer.parts.signCount = 8
    let authentication = try signIn.finish(with: registration.credential)
    #expect(authentication.user == TestAuthenticator.user)
    #expect(authentication.credential.signCount == 8)
  }

  /// What the algorithm has a part in; the other layers are gone through once for each kind of attestation. A TPM's
  /// statements name the algorithm they are about.
  private static func layers(_ attestation: TestAttestation, _ algorithm: SignatureAlgorithm) -> [DeviationLayer] {
    if algorithm == .es256 { return DeviationLayer.allCases }
    return attestation == .tpm ? [.credentialKey, .signedBytes] : [.credentialKey, .statement, .signedBytes]
  }

  @Test(arguments: kinds) func registrations(
    _ attestation: TestAttestation, _ algorithm: SignatureAlgorithm
  ) throws {
    for layer in Self.layers(attestation, algorithm) {
      for deviation in RegistrationDeviation.of(layer, attestation) {
        var ceremony = RegistrationCeremony(attestation, algorithm)
        deviation.change(&ceremony)
        let refusal = try RegistrationRuleTests.refusal { try ceremony.finish() }
        #expect(refusal == deviation.expected, "\(layer): \(deviation)")
      }
    }
  }

  @Test(arguments: SignatureAlgorithm.allCases) func signIns(_ algorithm: SignatureAlgorithm) throws {
    for layer in algorithm == .es256 ? DeviationLayer.allCases : [.record, .signedBytes] {
      for deviation in AuthenticationDeviation.of(layer) {
        var ceremony = AuthenticationCeremony(algorithm)
        deviation.change(&ceremony)
        let refusal = try RegistrationRuleTests.refusal { try ceremony.finish() }
        #expect(refusal == deviation.expected, "\(layer): \(deviation)")
      }
    }
  }

  /// The names of all deviations.
  static var names: [String] {
    DeviationLayer.allCases.flatMap { layer in
      TestAttestation.allCases.flatMap { RegistrationDeviation.of(layer, $0).map(\.name) }
        + AuthenticationDeviation.of(layer).map(\.name)
    }
  }

  /// How many there are of each kind, so that none is lost unnoticed; names are given once.
  @Test func deviationsAreCounted() {
    var counts: [String: [Int]] = [:]
    for attestation in TestAttestation.allCases {
      let layers = DeviationLayer.allCases.map { RegistrationDeviation.of($0, attestation) }
      counts["\(attestation)"] = layers.map(\.count)
      for layer in layers { #expect(Set(layer.map(\.name)).count == layer.count) }
    }
    let signIn = DeviationLayer.allCases.map { AuthenticationDeviation.of($0) }
    for layer in signIn { #expect(Set(layer.map(\.name)).count == layer.count) }
    counts["sign-in"] = signIn.map(\.count)
    // In the order of the layers: envelope, clientData, attestationObject, authenticatorData, credentialKey, statement,
    // certificate, chain, record, signedBytes.
    let expected: [String: [Int]] = [
      "none": [63, 78, 13, 27, 18, 3, 0, 0, 0, 0], "packedSelf": [63, 78, 13, 27, 18, 13, 0, 0, 0, 8],
      "packed": [63, 78, 13, 27, 18, 27, 54, 18, 0, 8], "fidoU2F": [63, 78, 13, 27, 18, 11, 4, 0, 0, 8],
      "tpm": [63, 78, 13, 27, 18, 98, 19, 0, 0, 8], "androidKey": [63, 78, 13, 27, 18, 13, 63, 0, 0, 8],
      "safetyNet": [63, 78, 13, 27, 18, 69, 0, 0, 0, 2], "apple": [63, 78, 13, 27, 18, 29, 0, 0, 0, 2],
      "compound": [63, 78, 13, 27, 18, 23, 0, 0, 0, 2], "sign-in": [75, 78, 0, 17, 0, 0, 0, 0, 20, 9],
    ]
    #expect(counts == expected)
  }
}
