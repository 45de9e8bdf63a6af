import Assay
import FuzzSupport

/// One input of libFuzzer.
@c(LLVMFuzzerTestOneInput)
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = unsafe input(start, count)
  let data: AuthenticatorData
  do {
    data = try AuthenticatorData(bytes.span, allowsFirefox117Key: true)
  } catch {
    require((0...bytes.count).contains(error.offset), "an error points into the input")
    require((try? AuthenticatorData(bytes.span)) == nil, "what is strict is refused too")
    return 0
  }
  let isRepaired = data.attestedCredentialData?.isRepaired == true
  require((try? AuthenticatorData(bytes.span)) == (isRepaired ? nil : data), "only the key of Firefox 117 is forgiven")

  // Every part is a slice of the input, and together they are all of it.
  let counter = (0..<4).map { UInt8(truncatingIfNeeded: data.signCount >> (24 - 8 * $0)) }
  var written = data.rpIdHash + [data.flags.rawValue] + counter
  if let made = data.attestedCredentialData {
    let length = made.credentialId.count
    written += made.aaguid + [UInt8(truncatingIfNeeded: length >> 8), UInt8(truncatingIfNeeded: length)]
    written += made.credentialId
    if !made.isRepaired { written += made.credentialPublicKey }
    require(!made.credentialId.isEmpty, "a credential has an id")
    let key = try? CBORValue.decode(made.credentialPublicKey.span, form: .ctap2Canonical)
    require(key != nil, "the public key is one canonical item")
    if made.isRepaired {
      require((try? COSEKey(made.credentialPublicKey.span)) != nil, "a repaired key is one")
      require(bytes.starts(with: written), "the parts are those of the input")
      return 0
    }
  }
  require(written + data.extensionBytes == bytes, "the parts make up the input")
  require(data.flags.extensionData == (data.extensions?.map != nil), "extensions are a map, and there as the flag says")
  return 0
}
