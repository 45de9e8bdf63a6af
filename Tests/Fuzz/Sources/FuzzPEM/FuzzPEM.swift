import Assay
import FuzzSupport

/// One input of libFuzzer: a key file, mostly text.
@c(LLVMFuzzerTestOneInput)
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = unsafe input(start, count)
  do {
    let file = try KeyFile.read(bytes.span)
    guard let again = try? KeyFile.read(bytes.span) else { fatalError("broken promise: reading twice gives the same") }
    require(again.format == file.format && again.kind == file.kind, "reading twice gives the same")
    require(again.isPrivate == file.isPrivate && again.isPEM == file.isPEM, "reading twice gives the same")
    guard case .publicKey(let numbers) = file.takeContents() else { return 0 }
    let pem = PEM.encode(.publicKey, numbers.spki().span)
    guard let written = try? KeyFile.read(pem.span), case .publicKey(let same) = written.takeContents() else {
      fatalError("broken promise: what is written can be read")
    }
    require(same == numbers, "writing and reading changes nothing")
  } catch {
    require(!error.description.isEmpty, "a refusal says why")
    require((try? KeyFile.read(bytes.span)) == nil, "reading twice gives the same")
    if case .malformed(let fault) = error.reason {
      // What is inside an armour is shorter than the armour.
      require((0...bytes.count).contains(fault.offset), "an error points into the input")
    }
  }
  return 0
}
