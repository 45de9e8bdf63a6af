import AssayCodec
import AssayCrypto
import AssayWebAuthn
import TestAuthenticator
import Testing

/// The structures of a TPM's statement, cut and altered everywhere.
struct TPMStructureTests {
  private static func answer(_ change: (inout TestTPM) -> Void) -> RegistrationAnswer {
    var answer = RegistrationAnswer()
    answer.fmt = "tpm"
    var tpm = TestTPM()
    change(&tpm)
    answer.tpm = tpm
    return answer
  }

  private static let options: RegistrationOptions = {
    var options = RegistrationOptions()
    options.algorithms = SignatureAlgorithm.allCases
    return options
  }()

  private static func error(_ answer: RegistrationAnswer) -> WebAuthnError? {
    do {
      _ = try RegistrationRuleTests.finish(answer, options)
      return nil
    } catch {
      return error as? WebAuthnError
    }
  }

  /// Whether an error says that the input ended too early, and where.
  private static func isTruncation(_ error: WebAuthnError?, of count: Int) -> Bool {
    guard let error, error.code == .malformedAttestationStatement, case .encoding(let fault)? = error.cause else {
      return false
    }
    return fault.code == .truncated && (0...count).contains(fault.offset) && fault.field == error.field
  }

  @Test(arguments: [.es256, .rs256] as [SignatureAlgorithm])
  func everyTruncationOfPubAreaIsRefused(_ algorithm: SignatureAlgorithm) throws {
    let key = try TestAuthenticator.key(algorithm).verificationKey.numbers
    let count = TestTPM.PublicArea().bytes(key).count
    #expect(count > 100)
    for length in 0..<count {
      var answer = Self.answer { $0.spoilPublicArea = { $0.removeSubrange(length...) } }
      answer.parts.algorithm = algorithm
      #expect(Self.isTruncation(Self.error(answer), of: length), "\(length)")
    }
  }

  @Test func everyTruncationOfCertInfoIsRefused() throws {
    let whole = TestTPM.Certification().bytes([UInt8](repeating: 0, count: 32), [UInt8](repeating: 0, count: 34))
    for length in 0..<whole.count {
      // Signed as it is cut: it is the reader that must refuse it.
      let answer = Self.answer { $0.editCertification = { $0.removeSubrange(length...) } }
      #expect(Self.isTruncation(Self.error(answer), of: length), "\(length)")
    }
  }

  @Test func onlyWhatIsIgnoredMayDifferInCertInfo() throws {
    let count = TestTPM.Certification().bytes([UInt8](repeating: 0, count: 32), [UInt8](repeating: 0, count: 34)).count
    var accepted: [Int] = []
    for bit in 0..<(count * 8) {
      let error = Self.error(Self.answer { $0.editCertification = { $0[bit / 8] ^= 1 << (bit % 8) } })
      if error == nil { accepted.append(bit) }
    }
    // qualifiedSigner, clockInfo with firmwareVersion, qualifiedName.
    let ignored = [8..<42, 76..<101, 139..<173].flatMap { ($0.lowerBound * 8)..<($0.upperBound * 8) }
    #expect(accepted == ignored)
  }

  @Test func nothingMayDifferInPubArea() throws {
    let key = try TestAuthenticator.key().verificationKey.numbers
    let count = TestTPM.PublicArea().bytes(key).count
    for bit in 0..<(count * 8) {
      let error = Self.error(Self.answer { $0.spoilPublicArea = { $0[bit / 8] ^= 1 << (bit % 8) } })
      let codes: [WebAuthnError.Code?] = [
        .malformedAttestationStatement, .attestationMismatch, .algorithmNotSupported,
      ]
      #expect(codes.contains(error?.code), "\(bit)")
    }
  }

  /// Coordinates that begin with a zero, as one in 256 does: TPMs write them with it or without.
  @Test func coordinatesMayBeStripped() throws {
    var found: PublicKeyNumbers?
    while found == nil {
      let numbers = try SigningKey.generate(.es256).verificationKey.numbers
      if case .ec(_, let x, let y) = numbers, x.first == 0 || y.first == 0 { found = numbers }
    }
    let key = try #require(found)
    for strips in [false, true] {
      var answer = Self.answer { tpm in
        tpm.publicArea.key = key
        if strips { tpm.publicArea.number = { Array($0.drop { $0 == 0 }) } }
      }
      answer.coseKeyBytes = try COSEKey(key, alg: -7).encoded()
      #expect(Self.error(answer) == nil)
    }
  }
}
