import Assay
import FuzzSupport

/// One input of libFuzzer: what Android's key store writes into a certificate.
@c(LLVMFuzzerTestOneInput)
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = unsafe input(start, count)
  let description: AndroidKeyDescription
  do {
    description = try AndroidKeyDescription(bytes.span)
  } catch {
    require((0...bytes.count).contains(error.offset), "an error points into the input")
    require((try? AndroidKeyDescription(bytes.span)) == nil, "reading twice gives the same")
    return 0
  }
  require((try? AndroidKeyDescription(bytes.span)) == description, "reading twice gives the same")
  require(bytes.count <= AndroidKeyDescription.maximumBytes, "the limit holds")
  var size = description.attestationChallenge.count
  for list in [description.softwareEnforced, description.teeEnforced] {
    require((list.purpose?.count ?? 0) <= AndroidKeyDescription.Authorizations.maximumPurposes, "purposes are bounded")
    size += list.rootOfTrust.map { $0.verifiedBootKey.count + ($0.verifiedBootHash?.count ?? 0) } ?? 0
  }
  require(size < bytes.count, "the parts fit into the input")
  for count in [bytes.count - 1, bytes.count / 2] {
    let shorter = Array(bytes.prefix(count))
    require((try? AndroidKeyDescription(shorter.span)) == nil, "no part of it is one")
  }
  let longer = bytes + [0]
  require((try? AndroidKeyDescription(longer.span)) == nil, "nothing may follow it")
  return 0
}
