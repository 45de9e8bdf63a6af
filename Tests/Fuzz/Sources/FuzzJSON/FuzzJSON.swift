import Assay
import FuzzSupport

/// One input of libFuzzer.
@c(LLVMFuzzerTestOneInput)
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let text = unsafe input(start, count)
  let value: JSONValue
  do {
    value = try JSONValue.decode(text.span)
  } catch {
    require((0...text.count).contains(error.offset), "an error points into the input")
    require((try? JSONValue.decode(text.span)) == nil, "reading twice gives the same")
    require(
      (try? JSONValue.decode(text.span, limits: JSONLimits(maximumDepth: 3))) == nil, "tighter limits accept no more")
    return 0
  }
  require((try? JSONValue.decode(text.span)) == value, "reading twice gives the same")

  let written = value.encoded()
  guard let again = try? JSONValue.decode(written.span) else {
    fatalError("broken promise: what is written can be read")
  }
  require(again == value, "writing and reading changes nothing")
  require(again.encoded() == written, "what is written is written again the same way")

  if let shallow = try? JSONValue.decode(text.span, limits: JSONLimits(maximumDepth: 3)) {
    require(shallow == value, "limits change no value")
  }
  return 0
}
