import Assay
import FuzzSupport

/// One input of libFuzzer: the text of a JWK Set.
@c(LLVMFuzzerTestOneInput)
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let text = unsafe input(start, count)
  do {
    let set = try JWKSet(json: text.span)
    require((try? JWKSet(json: text.span)) == set, "reading twice gives the same")
    require(set.keys.count + set.refused.count <= JWKSet.maximumKeys, "the keys are counted")
    require(set.refused.allSatisfy { !$0.reason.description.isEmpty }, "a refusal says why")
    let positions = set.refused.map(\.position)
    require(positions == Set(positions).sorted(), "each key is told once, in order")
    for key in set.keys {
      let written = key.encoded()
      require((try? JWK(written.span)) == key, "a key of a set is a key")
    }
    guard let trusted = try? TrustedKeys(set, algorithms: SignatureAlgorithm.allCases) else { return 0 }
    let unusable = Set(trusted.unusable.map(\.position))
    require(unusable.isSuperset(of: positions), "what was refused is not used")
    require(unusable.count <= set.keys.count + set.refused.count, "each key is set aside once")
  } catch {
    require(!error.description.isEmpty, "a refusal says why")
  }
  return 0
}
