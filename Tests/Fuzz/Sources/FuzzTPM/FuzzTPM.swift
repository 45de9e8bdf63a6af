import Assay
import FuzzSupport

// The parts of a registration of Vectors/webauthn/swtpm. The key in its certificate is replaced by one of ours, so that
// whatever the input is, it comes with a valid signature: nobody looks at who signed the certificate.
private let clientData = bytes(
  """
  eyJ0eXBlIjoid2ViYXV0aG4uY3JlYXRlIiwiY2hhbGxlbmdlIjoiY3Ztbm43bHFKd2RpQ2FqNnkxZE1zTFhObjBqZnlUSjVmd193R01zemhybyIsIm9y\
  aWdpbiI6Imh0dHBzOi8vbG9naW4uZXhhbXBsZS50ZXN0IiwiY3Jvc3NPcmlnaW4iOmZhbHNlfQ
  """)
private let authData = bytes(
  """
  myY_vLWJhTE3sz3cr6W8xUA0ZOrU2nZtD4GTSL-NRyxFAAAAAAiYcFjK3EuBtuEw3lDcvpYAIHKholOz9zUvVmG9LXbBABddx-Aa8CwzNR1WF2rB9PXY\
  pQECAyYgASFYIBBBrEk0Mxp_Ie3rlW4tHK5ibTW3ZwW2g19dF0O7HUWRIlgg26vum0CsUU-JonQDqARA4q_9WfO3xez78PR1hbrGxxA
  """)
private let template = bytes(
  """
  MIIBkzCCATmgAwIBAgIUGYW7ngHH4MzWDAaLam2oKdPr7WAwCgYIKoZIzj0EAwIwGzEZMBcGA1UEAwwQRWNvIHN3dHBtIEFJSyBDQTAeFw0yNjExMjkx\
  NjA2NTZaFw0zNjExMjcxNjA2NTZaMAAwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAAT-_QovkbbHBRY1y9ip3BTMuypj_wQ9uepbRhSbzK-ptYTAlYKl\
  nDj2jD0FG8TzXQ2yr6DgTBb5sB5O2sWRlodZo3YwdDAMBgNVHRMBAf8EAjAAMBAGA1UdJQQJMAcGBWeBBQgDMFIGA1UdEQEB_wRIMEakRDBCMRYwFAYF\
  Z4EFAgEMC2lkOjQ5NDI0RDAwMRAwDgYFZ4EFAgIMBXN3dHBtMRYwFAYFZ4EFAgMMC2lkOjIwMTcwNjE5MAoGCCqGSM49BAMCA0gAMEUCIQDeKghgwhOV\
  q5wwNqmatmQ5up-lq4LKq8rnTLAUjpl7GQIgRqr7pqC8N5tFSQLrls7kSzRgo8m102ZKGVMUw_0dzHo
  """)
private let certInfo = bytes(
  """
  _1RDR4AXACIACzGr84XQ5YmV6lPOTTZLQnPIJl68IVTB333e5yS3CSyzACDpfdK5RHkm_HnuRIiVrPawrlovZoRxGzINkpnxxMaB2wAAAAAAAAeoEKpO\
  scUZpLgBWdymV9n_XwsAIgALrifzb7f9M_01evOj5sMxKArhn5SjFO280Rdqkfo_TPsAIgALe_TmBbga47f_pEnk8gST3r1XAO9QSYHAbGwjsNnLJpA
  """)
private let pubArea = bytes(
  """
  ACMACwAEAHIAAAAQABgACwADABAAIBBBrEk0Mxp_Ie3rlW4tHK5ibTW3ZwW2g19dF0O7HUWRACDbq-6bQKxRT4midAOoBEDir_1Z87fF7Pvw9HWFusbH\
  EA
  """)

private let signer = try? SigningKey.generate(.es256)
// Held here as well, because the leak sanitizer does not see them in the signer: an enumeration marks its pointers.
private let point: [[UInt8]] = {
  guard case .ec(_, let x, let y)? = signer?.verificationKey.numbers else { return [] }
  return [x, y]
}()
// The point stands after its BIT STRING's head and the byte that says it is not compressed.
private let certificate = template.prefix(137) + point.flatMap { $0 } + template.dropFirst(201)
private let rp = try? RelyingParty(id: "example.test", origins: ["https://login.example.test"])
private let state: RegistrationState? = {
  var options = RegistrationOptions()
  options.challenge = bytes("cvmnn7lqJwdiCaj6y1dMsLXNn0jfyTJ5fw_wGMszhro")
  options.userVerification = .discouraged
  options.attestationPolicy.allowsSHA1 = true
  let user = PasskeyUser(id: [1], name: "", displayName: "")
  return try? rp?.beginRegistration(user: user, options, at: UnixTime(0)).state
}()

private func bytes(_ text: String) -> [UInt8] { (try? Base64URL.decode(Array(text.utf8).span)) ?? [] }

private func entry(_ name: UTF8Text, _ value: CBORValue) -> CBORMapEntry { CBORMapEntry(.text(name), value) }

private func finish(_ certInfo: [UInt8], _ pubArea: [UInt8]) throws -> VerifiedRegistration {
  guard let signer, let rp, let state else { fatalError("the ceremony could not be begun") }
  let statement: [CBORMapEntry] = [
    entry("ver", .text("2.0")), entry("alg", CBORValue(-7)), entry("x5c", .array([.bytes(Array(certificate))])),
    entry("sig", .bytes(try signer.sign(certInfo.span, ecdsa: .der))), entry("certInfo", .bytes(certInfo)),
    entry("pubArea", .bytes(pubArea)),
  ]
  let object = CBORValue.map([
    entry("fmt", .text("tpm")), entry("attStmt", .map(statement)), entry("authData", .bytes(authData)),
  ])
  let id: JSONValue = "cqGiU7P3NS9WYb0tdsEAF13H4BrwLDM1HVYXasH09dg"
  let answer: JSONValue = [
    "id": id, "rawId": id, "type": "public-key",
    "response": [
      "clientDataJSON": .string(Base64URL.encode(clientData.span)),
      "attestationObject": .string(Base64URL.encode(object.encoded().span)),
    ],
  ]
  let json = answer.encoded()
  return try rp.finishRegistration(json.span, state: state, at: UnixTime(1))
}

/// One input of libFuzzer: which structure of a TPM's statement it is, and the structure.
@c(LLVMFuzzerTestOneInput)
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = unsafe input(start, count)
  guard let first = bytes.first else { return 0 }
  let structure = Array(bytes.dropFirst())
  let isPublicArea = first == UInt8(ascii: "p")
  do {
    let verified = try isPublicArea ? finish(certInfo, structure) : finish(structure, pubArea)
    require(verified.attestation.type == .attCA && verified.attestation.tpm != nil, "a TPM's statement says so")
    require(!isPublicArea || structure == pubArea, "a key that was not certified is none")
    require(structure.prefix(6) == (isPublicArea ? pubArea : certInfo).prefix(6), "magic and type are demanded")
  } catch let error as WebAuthnError {
    require(error.step?.number == 22, "nothing else is wrong")
    require(error.code != .signatureInvalid && error.code != .attestationCertificateNotAllowed, "the rest is valid")
    if case .encoding(let fault)? = error.cause {
      require((0...structure.count).contains(fault.offset), "an error points into the structure")
    }
    require(structure != (isPublicArea ? pubArea : certInfo), "the genuine one is accepted")
  } catch {
    require(false, "the input could not be signed")
  }
  return 0
}
