import Assay
import FuzzSupport

/// One input of libFuzzer.
@c(LLVMFuzzerTestOneInput)
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = unsafe input(start, count)
  let canonical = try? CBORValue.decode(bytes.span, form: .ctap2Canonical)
  let value: CBORValue
  do {
    value = try CBORValue.decode(bytes.span, form: .wellFormed)
  } catch {
    require((0...bytes.count).contains(error.offset), "an error points into the input")
    require((try? CBORValue.decode(bytes.span, form: .wellFormed)) == nil, "reading twice gives the same")
    require(canonical == nil, "what the canonical reader accepts is well formed")
    return 0
  }
  require((try? CBORValue.decode(bytes.span, form: .wellFormed)) == value, "reading twice gives the same")
  require(!value.diagnostic.isEmpty, "every item has a notation")

  let written = value.encoded()
  guard let again = try? CBORValue.decode(written.span, form: .wellFormed) else {
    fatalError("broken promise: what is written can be read")
  }
  require(again == value, "writing and reading changes nothing")
  require(again.encoded() == written, "what is written is written again the same way")

  if let canonical {
    require(canonical == value, "both readers read the same")
    if !holdsFloat(value) { require(written == bytes, "canonical input is what would be written") }
  }
  return 0
}

/// CTAP2 leaves the width of a float to its sender, so that one with a float has more than one canonical form.
private func holdsFloat(_ value: CBORValue) -> Bool {
  switch value {
  case .float: true
  case .array(let elements): elements.contains(where: holdsFloat)
  case .map(let entries): entries.contains { holdsFloat($0.key) || holdsFloat($0.value) }
  case .tagged(_, let content): holdsFloat(content)
  default: false
  }
}
