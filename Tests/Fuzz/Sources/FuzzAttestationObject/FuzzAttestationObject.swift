import Assay
import FuzzSupport

/// The ceremony every input is an answer to.
private let rp = try? RelyingParty(id: "localhost", origins: ["http://localhost:8901"])
private let state = try? rp?.beginRegistration(
  user: PasskeyUser(id: [1], name: "", displayName: ""), options, at: UnixTime(0)
)
.state
private let options: RegistrationOptions = {
  var options = RegistrationOptions()
  options.challenge = [UInt8](repeating: 0, count: 16)
  options.userVerification = .discouraged
  options.attestationPolicy.unknownFormat = .ignore
  options.attestationPolicy.allowsPaddedSignature = true
  options.attestationPolicy.safetyNet = SafetyNetPolicy()
  return options
}()
private let app = try? AppAttest(appID: "ABCDE12345.com.example.app")
private let anchors = TrustAnchors.none
private let clientData = Base64URL.encode(
  Array(
    #"{"type":"webauthn.create","challenge":"AAAAAAAAAAAAAAAAAAAAAA","origin":"http://localhost:8901"}"#.utf8
  ).span)

/// One input of libFuzzer: an attestation object, and its whole way through a registration.
@c(LLVMFuzzerTestOneInput)
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = unsafe input(start, count)
  let hash = [UInt8](repeating: 0, count: 32)
  let appAttestation = try? app?.verifyAttestation(
    bytes.span, clientDataHash: hash, keyId: hash, anchors: anchors, at: UnixTime(1))
  require(appAttestation == nil, "an app's attestation was made up")
  let object = try? AttestationObject(bytes.span)
  require((try? AttestationObject(bytes.span)) == object, "reading twice gives the same")
  let credential = object.flatMap { try? AuthenticatorData($0.authData.span) }?.attestedCredentialData
  guard let rp, let state else { fatalError("the ceremony could not be begun") }
  guard let object, let credential else { return 0 }

  let id = JSONValue.string(Base64URL.encode(credential.credentialId.span))
  let answer: JSONValue = [
    "id": id, "rawId": id, "type": "public-key",
    "response": [
      "clientDataJSON": .string(clientData), "attestationObject": .string(Base64URL.encode(bytes.span)),
    ],
  ]
  let json = answer.encoded()
  do {
    let verified = try rp.finishRegistration(json.span, state: state, at: UnixTime(1))
    require(verified.attestation.format == object.fmt, "the format is the object's")
    require(verified.credential.id == credential.credentialId, "the credential is the object's")
    require(verified.steps.last?.step.number == 29, "a success has gone through every step")
    let attestations = verified.attestation.parts.isEmpty ? [verified.attestation] : verified.attestation.parts
    require(attestations.count == 1 || verified.attestation.type == .compound, "parts come with their type")
    // None can be forged: nobody signed this challenge.
    require(attestations.allSatisfy { [.none, .unverified].contains($0.type) }, "a signature was made up")
    require(attestations.allSatisfy(\.trustPath.isEmpty), "certificates were made up")
  } catch {
    require(error.step != nil, "a refusal names its step")
  }
  return 0
}
