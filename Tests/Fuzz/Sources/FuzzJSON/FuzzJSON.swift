import Assay
import FuzzSupport

/// As deep as the value is.
struct Tree: Decodable {
  let branches: [String: Tree]

  init(from decoder: any Decoder) throws { branches = try decoder.singleValueContainer().decode([String: Tree].self) }
}

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

  require((try? value.decoded(as: JSONValue.self)) == value, "decoding changes nothing")
  if let number = value.number?.int64 {
    require((try? value.decoded(as: Int64.self)) == number, "an integer is decoded exactly")
  }
  // Any shape asked of any value ends in a value or an error.
  _ = try? value.decoded(as: [String: [String: Float]].self)
  _ = try? value.decoded(as: [[UInt8?]].self)
  _ = try? value.decoded(as: Tree.self)

  if let shallow = try? JSONValue.decode(text.span, limits: JSONLimits(maximumDepth: 3)) {
    require(shallow == value, "limits change no value")
  }
  return 0
}
