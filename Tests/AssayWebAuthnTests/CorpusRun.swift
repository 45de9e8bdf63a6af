import AssayCodec
import AssayVectors
import AssayWebAuthn
import TestSupport

/// Runs a ceremony file that states the relying party's inputs and its verdict.
struct CorpusRun {
  let file: CeremonyFile
  let isRegistration: Bool
  /// Why it was refused; nil if it verified.
  let error: WebAuthnError?

  var expected: UTF8Text? { file.json["expected"]?.string }

  /// What is decided where sources disagree.
  static let scope = Result { try VectorScope(TestData.scope()) }

  init(_ file: CeremonyFile) throws {
    self.file = file
    let ceremony = try StatedCeremony(file.json, Self.scope.get())
    isRegistration = ceremony.isRegistration
    do throws(WebAuthnError) {
      try ceremony.verify()
      error = nil
    } catch {
      self.error = error
    }
  }
}
