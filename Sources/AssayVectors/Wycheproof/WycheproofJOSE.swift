internal import AssayCodec
internal import AssayCrypto
internal import AssayJOSE

/// Compact tokens, each under a key or a set of keys.
enum WycheproofJOSE {
  static func prepare(_ group: inout MemberReader, _ algorithm: UTF8Text?) throws(VectorFileError) -> WycheproofJudge {
    group.ignore("comment")
    let secret = try group.value("private")
    // A symmetric key has no public half.
    let key = group.optional("public") ?? secret
    let keys = key["keys"]?.array ?? [key]
    var trusted: TrustedKeys?
    var refusal: String?
    do {
      trusted =
        key["keys"] == nil
        ? try VectorKeys.trusted(
          key, SignatureAlgorithm.allCases.map { .signature($0) } + MACAlgorithm.allCases.map { .mac($0) })
        : try VectorKeys.trusted(set: keys)
    } catch { refusal = "\(error)" }
    return { (one) throws(VectorFileError) in
      if one.optional("jwe") != nil { return .skipped(.named("JWE")) }
      let value = try one.value("jws")
      let token = value.string?.utf8 ?? value.encoded()
      guard let trusted else { return .verdict(.invalid, because: refusal) }
      do throws(JWTError) {
        _ = try JWS.verifyCompact(token.span, keys: trusted)
        return .verdict(.valid)
      } catch {
        return .verdict(.invalid, because: error.description)
      }
    }
  }
}
