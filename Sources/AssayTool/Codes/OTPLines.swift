internal import AssayCodec
internal import AssayCrypto
internal import AssayOTP

/// Files of links, one a line.
enum OTPLines {
  /// The text given as `--uri` or in a file, which the caller wipes; `what` names one line of it.
  static func text(_ arguments: Arguments, _ what: String) throws(Failure) -> [UInt8] {
    switch (arguments["--uri"], arguments.operands.first) {
    case (let uri?, nil): return uri.utf8
    case (nil, let path?): return try Input.read(path)
    default: throw .usage("give the \(what) in a file, by - on standard input, or by --uri, and only once")
    }
  }

  /// The lines that are not empty, with their numbers.
  static func split(_ text: [UInt8]) -> [(number: Int, range: Range<Int>)] {
    var lines: [(number: Int, range: Range<Int>)] = []
    var start = 0
    var number = 1
    while start < text.count {
      let end = text[start...].firstIndex(of: UInt8(ascii: "\n")) ?? text.count
      if text[start..<end].contains(where: { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\r") }) {
        lines.append((number, start..<end))
      }
      start = end + 1
      number += 1
    }
    return lines
  }

  /// A refusal of one line; its place in it is for programs.
  static func failure(_ reason: String, _ part: Field, _ offset: Int, line: Int) -> Failure {
    .refused(
      "line \(line): \(reason)",
      ["line": number(line), "part": .string(UTF8Text(part.description)), "offset": number(offset)])
  }

  /// What the parts of a new export have in common.
  static func randomID() throws(Failure) -> Int32 {
    do {
      return Int32(bitPattern: try Random.bytes(4).reduce(0 as UInt32) { $0 << 8 | UInt32($1) })
    } catch { throw .refused("\(error)") }
  }
}
