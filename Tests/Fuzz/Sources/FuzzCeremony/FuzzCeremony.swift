import FuzzSupport
import TestAuthenticator

/// One input of libFuzzer: a ceremony of the test authenticator, and what is changed about it.
@c(LLVMFuzzerTestOneInput)
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  do {
    try CeremonyMutation.run(unsafe input(start, count))
  } catch {
    fatalError("broken promise: \(error.promise)")
  }
  return 0
}
