import AssayCodec
import AssayCrypto
import Foundation
import TestCertificates
import TestSupport
import Testing

/// From the bytes of a key file to a key that signs or verifies.
@Suite struct KeyFileSigningTests {
  @Test(arguments: SignatureAlgorithm.allCases) func aWrittenKeySignsWhenReadAgain(_ algorithm: SignatureAlgorithm)
    throws
  {
    let key = try FreshKey.make(algorithm)
    let text = try key.privateNumbers().pkcs8().withSpan { der in PEM.encodeSecret(.privateKey, der) }
    let read = try text.withSpan { text throws(KeyError) in try SigningKey(KeyFile.read(text), for: algorithm) }
    #expect(read.verificationKey.numbers == key.verificationKey.numbers)
    let signature = try read.sign([1, 2, 3])
    #expect(key.verificationKey.accepts(signature, [1, 2, 3]))

    let spki = key.verificationKey.numbers.spki()
    let file = try KeyFile.read(spki.span)
    #expect(throws: KeyError(.privateKeyRequired)) { try SigningKey(file, for: algorithm) }
  }

  @Test func aMissingPublicHalfIsComputed() throws {
    for _ in 0..<20 {
      let key = try SigningKey.generate(.es256)
      let sec1 = Self.sec1WithoutPublicHalf(try Self.scalar(of: key))
      let file = try KeyFile.read(sec1.span)
      #expect(try SigningKey(file, for: .es256).verificationKey.numbers == key.verificationKey.numbers)
      #expect(throws: KeyError.self) { try SigningKey(file, for: .edDSA) }
    }
  }

  @Test(
    arguments: [
      ("ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632550", nil),  // n − 1
      ("ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551", .inconsistent),  // n
      ("ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff", .inconsistent),
      ("0000000000000000000000000000000000000000000000000000000000000000", .inconsistent),
      ("0000000000000000000000000000000000000000000000000000000000000001", nil),
    ] as [(String, KeyError.Reason?)]) func scalarsOutsideTheirRange(_ scalar: String, _ expected: KeyError.Reason?)
    throws
  {
    let sec1 = Self.sec1WithoutPublicHalf([UInt8](hex: scalar))
    var refused: KeyError.Reason?
    do throws(KeyError) { _ = try SigningKey(KeyFile.read(sec1.span), for: .es256) } catch { refused = error.reason }
    #expect(refused == expected)
  }

  static func scalar(of key: SigningKey) throws -> [UInt8] {
    let numbers = try key.privateNumbers()
    return switch numbers.secret {
    case .scalar(let scalar): scalar.withSpan { Array(copying: $0) }
    case .rsa: []
    }
  }

  static func sec1WithoutPublicHalf(_ scalar: [UInt8]) -> [UInt8] {
    var writer = DERWriter()
    writer.element(.sequence) { writer in
      writer.small(1)
      writer.element(.octetString, scalar.span)
      writer.element(.context0) { writer in
        writer.objectIdentifier([0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x03, 0x01, 0x07])
      }
    }
    return writer.publicBytes()
  }

  // MARK: Credential keys

  @Test func credentialKeys() throws {
    var algorithms: Set<SignatureAlgorithm> = []
    for one in try Self.tests("cose/cose_keys_valid.json", count: 13) {
      let key = try COSEKey([UInt8](hex: one.get("hex")).span)
      let algorithm = try #require(SignatureAlgorithm(coseIdentifier: key.alg))
      _ = try VerificationKey(key.numbers, for: algorithm)
      algorithms.insert(algorithm)
    }
    #expect(algorithms.count == 12)
    for one in try Self.tests("cose/cose_keys_bad.json", count: 93) {
      let bytes = [UInt8](hex: try one.get("hex"))
      let title: String = try one.get("title")
      #expect(throws: KeyError.self, "\(title)") {
        let key = try COSEKey(bytes.span)
        let algorithm = try #require(SignatureAlgorithm(coseIdentifier: key.alg), "\(title)")
        _ = try VerificationKey(key.numbers, for: algorithm)
      }
    }
  }

  static func tests(_ path: String, count: Int) throws -> [[String: Any]] {
    let tests: [[String: Any]] = try TestData.json(TestData.own.appending(path: path)).get("tests")
    #expect(tests.count == count)
    return tests
  }
}
