import Assay
import FuzzSupport

/// One input of libFuzzer: client data, and the whole answer of a client.
@c(LLVMFuzzerTestOneInput)
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = unsafe input(start, count)
  let clientData = try? CollectedClientData(bytes.span)
  require((try? CollectedClientData(bytes.span)) == clientData, "reading twice gives the same")
  if let clientData {
    let text = Array(bytes.drop { $0 == 0xEF || $0 == 0xBB || $0 == 0xBF })
    let json = try? JSONValue.decode(text.span)
    require(json?["type"]?.string == clientData.type, "the type is the member's")
    require(json?["challenge"]?.string == clientData.challenge, "the challenge is the member's")
    require(json?["origin"]?.string == clientData.origin, "the origin is the member's")
    require(json?["crossOrigin"]?.bool == clientData.crossOrigin, "crossOrigin is the member's")
  }

  let every: ResponseTolerances = [.padding, .standardAlphabet]
  if let strict = try? RegistrationResponse(json: bytes.span) {
    require((try? RegistrationResponse(json: bytes.span, every)) == strict, "what is strict is read alike leniently")
    require(!strict.credentialID.isEmpty && !strict.attestationObject.isEmpty, "an answer has no empty parts")
  }
  if let strict = try? AuthenticationResponse(json: bytes.span) {
    require((try? AuthenticationResponse(json: bytes.span, every)) == strict, "what is strict is read alike leniently")
    require(strict.userHandle?.isEmpty != true, "an empty user handle is none")
  }
  return 0
}
