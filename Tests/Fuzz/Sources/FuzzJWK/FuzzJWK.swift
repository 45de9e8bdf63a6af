import Assay
import FuzzSupport

/// One input of libFuzzer: the text of a JWK, public, private or symmetric.
@c(LLVMFuzzerTestOneInput)
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let text = unsafe input(start, count)
  let isPublic: Bool
  do {
    let jwk = try JWK(text.span)
    isPublic = true
    require((try? JWK(text.span)) == jwk, "reading twice gives the same")
    let written = jwk.encoded()
    require((try? JWK(written.span)) == jwk, "writing and reading changes nothing")
    if let spki = try? PublicKeyNumbers(spki: jwk.numbers.spki().span) {
      require(spki == jwk.numbers, "a key is the same in every format")
    } else {
      fatalError("broken promise: what is written can be read")
    }
  } catch {
    isPublic = false
    require(!error.description.isEmpty, "a refusal says why")
  }
  let isPrivate = copyOfPrivateKey(text)
  let isSymmetric = copyOfSymmetricKey(text)
  require([isPublic, isPrivate, isSymmetric].count { $0 } <= 1, "a key is of one kind")
  if text.count <= KeyFile.maximumBytes, text.first == UInt8(ascii: "{") {
    let isKeyFile = (try? KeyFile.read(text.span)) != nil
    require(isKeyFile == (isPublic || isPrivate || isSymmetric), "a key file holds one of them")
  }
  return 0
}

/// Whether it is a private key; if so, it is read again as it was written.
private func copyOfPrivateKey(_ text: [UInt8]) -> Bool {
  guard let jwk = try? PrivateJWK(text.span) else { return false }
  let written = jwk.encoded()
  let about = jwk.publicJWK
  let isSame = written.withSpan { written in
    guard let again = try? PrivateJWK(written) else { return false }
    return again.publicJWK == about
  }
  require(isSame, "writing and reading changes nothing")
  return true
}

private func copyOfSymmetricKey(_ text: [UInt8]) -> Bool {
  guard let jwk = try? SymmetricJWK(text.span) else { return false }
  require(jwk.secret.count > 0, "no secret is empty")
  let written = jwk.encoded()
  let isSame = written.withSpan { written in
    guard let again = try? SymmetricJWK(written) else { return false }
    return again.secret.count == jwk.secret.count
  }
  require(isSame, "writing and reading changes nothing")
  return true
}
