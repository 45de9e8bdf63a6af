internal import AssayCodec

/// Says which version of the tool this is.
enum Version {
  static let current: UTF8Text = "0.1.0"

  static let command = Command(
    path: ["version"], summary: "print the version",
    run: { _ throws(Failure) in
      var report = Report.done
      report.fact("version", "version", .string(current))
      report.body("assay \(current.string)")
      return report
    })
}
