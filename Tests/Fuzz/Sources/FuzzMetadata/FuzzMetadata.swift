import Assay
import FuzzSupport

/// One input of libFuzzer: the payload of a metadata BLOB.
@c(LLVMFuzzerTestOneInput)
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let text = unsafe input(start, count)
  let value = try? JSONValue.decode(text.span)
  let payload: MetadataPayload
  do {
    payload = try MetadataPayload.decodeWithoutVerifying(json: text.span)
  } catch {
    if case .malformed(let fault) = error.code {
      require((0...text.count).contains(fault.offset), "an error points into the input")
    } else {
      require(value != nil, "what is missing or wrong is so in good JSON")
    }
    return 0
  }
  guard let entries = value?["entries"]?.array else { fatalError("broken promise: a payload is JSON with entries") }
  require(entries.count == payload.count, "every entry is there")
  require(value?["no"]?.number?.int64 == payload.no, "the number is that of the JSON")
  var refused = 0
  for position in 0..<payload.count {
    guard let entry = try? payload.entry(at: position) else {
      refused += 1
      continue
    }
    require(entry.members["statusReports"] == entries[position]["statusReports"], "an entry is read from its own text")
    _ = MetadataPolicy().verdict(on: entry, at: UnixTime(1_800_000_000)).auditRecord
    for identifier in entry.identifiers where identifier.text != "00000000-0000-0000-0000-000000000000" {
      guard let found = try? payload.entries(for: identifier) else { continue }
      require(found.contains(entry), "an entry is found by what names it")
    }
  }
  require(payload.refusedEntries().count == refused, "refusals are counted")
  return 0
}
