import Assay
import FuzzSupport

/// One input of libFuzzer: a credential's public key.
@c(LLVMFuzzerTestOneInput)
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = unsafe input(start, count)
  do {
    let key = try COSEKey(bytes.span)
    require(key.encoded() == bytes, "a key has one encoding")
    require((try? COSEKey(bytes.span)) == key, "reading twice gives the same")
    require((try? COSEKey(key.numbers, alg: key.alg)) == key, "what was read can be made")
    require((try? JWK(JWK(key.numbers).encoded().span))?.numbers == key.numbers, "a key is the same in every format")
  } catch {
    require(!error.description.isEmpty, "a refusal says why")
    require((try? COSEKey(bytes.span)) == nil, "reading twice gives the same")
    if case .malformed(let fault) = error.reason {
      require((0...bytes.count).contains(fault.offset), "an error points into the input")
    }
  }
  return 0
}
