import Assay
import FuzzSupport

/// One input of libFuzzer.
@c(LLVMFuzzerTestOneInput)
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = unsafe input(start, count)

  // As bytes: every byte string has a text, and the text gives it back.
  let text = Base64URL.encode(bytes.span)
  require((try? Base64URL.decode(text.utf8.span)) == bytes, "decoding undoes encoding")

  // As text: exactly one text for each byte string.
  let every: RadixLeniency = [.padding, .otherAlphabet, .separators, .spareBits]
  let lenient = try? Base64URL.decode(bytes.span, every)
  do {
    let strict = try Base64URL.decode(bytes.span)
    require(Array(Base64URL.encode(strict.span).utf8) == bytes, "encoding undoes decoding")
    require((try? Base64URL.decode(bytes.span)) == strict, "reading twice gives the same")
    require(lenient == strict, "what the strict reader accepts, the lenient one reads alike")
  } catch {
    require((0...bytes.count).contains(error.offset), "an error points into the input")
    require((try? Base64URL.decode(bytes.span)) == nil, "reading twice gives the same")
  }
  for leniency: RadixLeniency in [.padding, .otherAlphabet, .separators, .spareBits] {
    if let some = try? Base64URL.decode(bytes.span, leniency) {
      require(some == lenient, "one leniency accepts no more than all of them")
    }
  }
  return 0
}
