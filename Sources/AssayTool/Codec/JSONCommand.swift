internal import AssayCodec

/// `codec json`: the strict reader, and the one form in which JSON is written.
enum JSONCommand {
  static let command = Command(
    path: ["codec", "json"], summary: "check JSON strictly and print it in one form",
    options: [CodecCommands.textOption], operands: CodecCommands.file,
    notes: [
      """
      Refused beyond RFC 8259's grammar: a name twice in one object, text that is not UTF-8, half a surrogate pair,
      numbers out of range, more than \(JSONLimits().maximumDepth) levels. Printed without white space, members in their order.
      """
    ],
    run: { arguments throws(Failure) in
      let text = try CodecCommands.bytes(arguments)
      let value = try decoding { () throws(CodecError) in
        try JSONValue.decode(text.span, limits: JSONLimits(maximumBytes: Input.maximumBytes))
      }
      var report = Report.done
      report.fact("value", "value", value)
      report.body(value.encoded() + [UInt8(ascii: "\n")])
      return report
    })
}
