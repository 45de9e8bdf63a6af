import Assay
import Foundation

/// Times each row, prints the table, and writes the figures to the file named by the first argument.
func run() throws -> Bool {
  let metadata = try MetadataCase.measure()
  let rows = [
    try TokenCase.row(.es256, target: 1.10),
    try TokenCase.row(.rs256, target: 1.35),
    try TokenCase.row(.edDSA, target: 1.15),
    try TokenCase.row(.es256, isRemembered: true, target: 0.10),
    try PasskeyCase.row(target: 1.45),
  ]
  print("\(CryptoLibraries.openSSLVersion), libsodium \(CryptoLibraries.sodiumVersion); CPU time, medians")
  print("operation            assay µs    raw µs   ratio  target  allocations (raw)")
  var results: [Result] = []
  for row in rows {
    let result = try Measurement.measure(row)
    results.append(result)
    print(
      pad(row.name, -19), pad(fixed(result.assayNs / 1000, 2), 9), pad(fixed(result.rawNs / 1000, 2), 9),
      pad(fixed(result.ratio, 3), 7), pad(fixed(row.target, 2), 7), pad(fixed(result.assayAllocations, 0), 7),
      "(\(fixed(result.rawAllocations, 0)))", result.isWithinTarget ? "" : "MISSED")
  }
  print(
    "metadata BLOB of \(fixed(metadata.megabytes, 1)) MB: ready in \(fixed(metadata.ms, 0)) ms of",
    "\(fixed(MetadataCase.targetMs, 0)), at most \(fixed(metadata.peakMB, 0)) MB of \(fixed(MetadataCase.targetMB, 0))",
    metadata.isWithinTargets ? "" : "MISSED")
  let json = results.map { result in
    #"{"name":"\#(result.row.name)","assayNs":\#(fixed(result.assayNs, 0)),"rawNs":\#(fixed(result.rawNs, 0)),"#
      + #""ratio":\#(fixed(result.ratio, 4))}"#
  }
  if CommandLine.arguments.count > 1 {
    let file = URL(filePath: CommandLine.arguments[1])
    let ready = #""metadata":{"ms":\#(fixed(metadata.ms, 1)),"peakMB":\#(fixed(metadata.peakMB, 1))}"#
    try Data((#"{"rows":["# + json.joined(separator: ",\n") + "],\(ready)}\n").utf8).write(to: file)
  }
  return results.allSatisfy(\.isWithinTarget) && metadata.isWithinTargets
}

func fixed(_ value: Double, _ digits: Int) -> String { String(format: "%.\(digits)f", value) }

/// Text in a column: to its right end, or to its left where the width is negative.
func pad(_ text: String, _ width: Int) -> String {
  let space = String(repeating: " ", count: max(0, abs(width) - text.count))
  return width < 0 ? text + space : space + text
}

exit(try run() ? 0 : 1)
