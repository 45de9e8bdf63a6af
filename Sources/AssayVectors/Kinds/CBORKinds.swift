internal import AssayCodec
internal import AssayCrypto

extension VectorKind {
  /// A CBOR data item, under a form.
  static let cbor = VectorKind(name: "cbor") { (one, _) throws(VectorFileError) in
    let bytes = try one.hex("bytes")
    let form: CBORForm
    switch try one.text("form") {
    case "wellFormed": form = .wellFormed
    case "ctap2Canonical": form = .ctap2Canonical
    default: throw one.fault("unknown form")
    }
    let verdict = try one.verdict()
    let diagnostic = verdict == .valid ? try one.optionalText("diagnostic") : nil
    do throws(CodecError) {
      let value = try CBORValue.decode(bytes.span, form: form)
      guard verdict == .valid else { return .failed(expected: "invalid", actual: "valid") }
      if form == .ctap2Canonical, value.encoded() != bytes {
        return .failed(expected: "the same bytes when encoded again", actual: "other bytes")
      }
      guard let diagnostic else { return .passed }
      return .compare(expected: diagnostic.string, actual: value.diagnostic)
    } catch {
      return .compare(expected: verdict, actual: .invalid, because: error.description)
    }
  }

  /// A credential public key; it is valid if a verification key can be made of it.
  static let coseKey = VectorKind(name: "cose-key") { (one, _) throws(VectorFileError) in
    let bytes = try one.hex("bytes")
    let verdict = try one.verdict()
    do throws(KeyError) {
      let key = try COSEKey(bytes.span)
      if SkipReason.waits(for: key.alg) { return .skipped(.coseAlgorithm(key.alg)) }
      guard let algorithm = SignatureAlgorithm(coseIdentifier: key.alg) else {
        return .compare(expected: verdict, actual: .invalid, because: "unknown algorithm")
      }
      _ = try VerificationKey(key.numbers, for: algorithm)
      return .compare(expected: verdict, actual: .valid)
    } catch {
      return .compare(expected: verdict, actual: .invalid, because: error.description)
    }
  }
}
