import AssayCodec
import AssayCrypto
import Foundation
import TestSupport
import Testing

/// A private key and, in the same PEM file, its public key or certificate, or those of another key.
@Suite(.enabled(if: OpenSSLTool.path != nil, "the openssl command is not installed"))
struct KeyBesideTests {
  static let kinds: [(kind: String, algorithm: SignatureAlgorithm)] = [
    ("RSA", .rs256), ("P-256", .es256), ("P-384", .es384), ("P-521", .es512), ("secp256k1", .es256k),
    ("Ed25519", .edDSA), ("Ed448", .edDSA),
  ]

  /// One key in every form that may stand in a file.
  private struct Forms {
    let spki: [UInt8]
    /// Private forms, also such as leave the public half out.
    private(set) var privates: [[UInt8]]
    let publics: [[UInt8]]
    let encrypted: [UInt8]

    init(_ kind: String) throws {
      let (pem, spki) = try PasswordTests.key(kind)
      self.spki = spki
      let folder = FileManager.default.temporaryDirectory.appending(path: "assay-beside-\(UUID())")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(at: folder) }
      let file = folder.appending(path: "key.pem")
      try Data(pem).write(to: file)
      privates = [pem]
      publics = [
        try OpenSSLTool.run("req", "-x509", "-key", file.path, "-subj", "/CN=x"),
        try OpenSSLTool.run("pkey", "-pubout", input: pem),
      ]
      if kind.hasPrefix("P-") { privates.append(try OpenSSLTool.run("ec", "-no_public", input: pem)) }
      encrypted = try OpenSSLTool.run("pkcs8", "-topk8", "-passout", "pass:\(PasswordTests.password)", input: pem)
    }
  }

  private func reason(_ pem: [UInt8], _ use: (consuming KeyFile) throws(KeyError) -> Void) -> KeyError.Reason? {
    do throws(KeyError) {
      try use(PasswordTests.read(pem, PasswordTests.password))
      return nil
    } catch { return error.reason }
  }

  private static let several: KeyError.Reason = .unsupported(
    what: "a file with more than one key or certificate, unless they are the same key,")

  @Test(arguments: kinds) func theSameKeyIsOneKey(_ kind: String, _ algorithm: SignatureAlgorithm) throws {
    let own = try Forms(kind)
    var files = 0
    for one in own.privates + [own.encrypted] {
      for beside in own.publics + [own.publics[0] + own.publics[1]] {
        for pem in [one + beside, beside + one] {
          let refused = reason(pem) { file throws(KeyError) in
            let (isPrivate, isPEM) = (file.isPrivate, file.isPEM)
            #expect(isPrivate && isPEM)
            #expect(try file.publicKey().spki() == own.spki)
            #expect(try SigningKey(file, for: algorithm).verificationKey.numbers.spki() == own.spki)
            #expect(try file.privateKey().publicKey.spki() == own.spki)
            files += 1
          }
          #expect(refused == nil)
        }
      }
    }
    let publicOnly = try KeyFile.read((own.publics[0] + own.publics[1]).span).isPrivate
    #expect(!publicOnly)
    #expect(files == (own.privates.count + 1) * 6)
    #expect(reason(own.encrypted + own.privates[0]) { _ in } == Self.several)
    #expect(reason(own.encrypted + own.encrypted) { _ in } == Self.several)
    #expect(throws: KeyError(.encrypted)) { _ = try KeyFile.read((own.encrypted + own.publics[0]).span) }
  }

  @Test(arguments: kinds) func anotherKeyIsRefused(_ kind: String, _ algorithm: SignatureAlgorithm) throws {
    let own = try Forms(kind)
    for other in try [Forms(kind), Forms(kind == "P-256" ? "Ed25519" : "P-256")] {
      for one in own.privates + [own.encrypted] {
        for beside in other.publics {
          for pem in [one + beside, beside + one] {
            let signing = reason(pem) { file throws(KeyError) in _ = try SigningKey(file, for: algorithm) }
            let publicHalf = reason(pem) { file throws(KeyError) in _ = try file.publicKey() }
            let both = reason(pem) { file throws(KeyError) in _ = try file.privateKey() }
            #expect([signing, publicHalf, both] == [.anotherKeyBeside, .anotherKeyBeside, .anotherKeyBeside])
          }
        }
        #expect(reason(one + own.publics[0] + other.publics[0]) { _ in } == Self.several)
      }
    }
  }

  /// A point that one part of the file gives in full and another compressed.
  @Test func aCompressedPointBeside() throws {
    let own = try Forms("P-256")
    let compressed = try OpenSSLTool.run("ec", "-pubout", "-conv_form", "compressed", input: own.privates[0])
    let other = try OpenSSLTool.run("ec", "-pubout", "-conv_form", "compressed", input: Forms("P-256").privates[0])
    for one in own.privates {
      for pem in [one + compressed, compressed + one, one + compressed + own.publics[0], own.publics[1] + compressed] {
        let refused = reason(pem) { file throws(KeyError) in #expect(try file.publicKey().spki() == own.spki) }
        #expect(refused == nil)
      }
      #expect(reason(one + other) { file throws(KeyError) in _ = try file.publicKey() } == .anotherKeyBeside)
    }
    #expect(reason(compressed + other) { _ in } == Self.several)
  }
}
