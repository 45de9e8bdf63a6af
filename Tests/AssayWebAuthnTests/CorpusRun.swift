import AssayCodec
import AssayVectors
import AssayWebAuthn
import Foundation
import TestSupport

/// Runs a ceremony file that states the relying party's inputs and its verdict.
struct CorpusRun {
  let file: CeremonyFile
  let isRegistration: Bool
  /// Why it was refused; nil if it verified.
  let error: WebAuthnError?

  var expected: UTF8Text? { file.json["expected"]?.string }

  /// What is decided where sources disagree.
  static let scope: VectorScope = {
    let bytes = try? [UInt8](Data(contentsOf: TestData.vectors.appending(path: "scope.json")))
    return (try? VectorScope(bytes ?? [])) ?? VectorScope()
  }()

  init(_ file: CeremonyFile) throws {
    self.file = file
    let ceremony = try StatedCeremony(file.json, Self.scope)
    isRegistration = ceremony.isRegistration
    do throws(WebAuthnError) {
      try ceremony.verify()
      error = nil
    } catch {
      self.error = error
    }
  }
}
