internal import AssayCodec
internal import AssayVectors

/// `vectors run`: the engine against published test vectors.
enum VectorsRun {
  static let command = Command(
    path: ["vectors", "run"], summary: "check the engine against files of test vectors",
    options: [
      .option("--scope", "FILE", "what may be skipped and is decided; scope.json in a folder that is given, unless set")
    ],
    operands: Command.Operands(
      name: "PATH", help: "a file of vectors, or a folder with such files in it and below", count: 1...64),
    notes: [
      """
      Three kinds of file are read, told apart by what is in them: assay-vectors-1 (see Vectors/README.md), Wycheproof's
      own, and WebAuthn ceremonies. In a folder, files whose names begin with _ are left out. The run is refused if a
      case fails, a file does not follow its schema, no case passes, or one is skipped for a reason that the scope does
      not name.
      """
    ],
    run: { arguments throws(Failure) in
      var tally = Tally()
      for path in arguments.operands { try run(path, scope: try scope(arguments["--scope"], for: path), &tally) }
      return tally.report()
    })

  private static func scope(_ path: UTF8Text?, for operand: UTF8Text) throws(Failure) -> VectorScope {
    let beside = Folder.join(operand, scopeName)
    guard let path = path ?? (Folder.isFolder(operand) && exists(beside) ? beside : nil) else { return VectorScope() }
    do throws(VectorFileError) {
      return try VectorScope(try read(path))
    } catch { throw .refused("\(Shown.text(path)): \(error)") }
  }

  private static let scopeName: UTF8Text = "scope.json"

  private static func exists(_ path: UTF8Text) -> Bool { (try? Input.read(path)) != nil }

  private static func read(_ path: UTF8Text) throws(VectorFileError) -> [UInt8] {
    do throws(Failure) { return try Input.read(path) } catch { throw VectorFileError(error.message) }
  }

  private static func run(_ path: UTF8Text, scope: VectorScope, _ tally: inout Tally) throws(Failure) {
    var files = [path]
    guard path == "-" || Input.exists(path) else { throw .usage("\(Shown.text(path)) is no file and no folder") }
    if Folder.isFolder(path) {
      files = try Folder.files(in: path, endingWith: ".json").filter { file in
        let name = Folder.split(file).name
        return name != scopeName && name.utf8.first != UInt8(ascii: "_")
      }
      guard !files.isEmpty else { throw .usage("\(Shown.text(path)) has no .json files") }
    }
    var run = VectorRun(scope)
    var folder: UTF8Text?
    for file in files {
      let place = Folder.split(file).folder
      // Credentials are kept from one ceremony to the next within a folder.
      if place != folder { run = VectorRun(scope) }
      folder = place
      do throws(VectorFileError) {
        let report = try run.run(try read(file), named: Folder.split(file).name) { name in
          // Only plain names are looked for: a file cannot point anywhere else.
          let (folder, plain) = Folder.split(name)
          guard plain.utf8.first != UInt8(ascii: ".") else { return nil }
          switch folder {
          case ".": return try? Input.read(Folder.join(place, plain))
          case "roots": return try? Input.read(Folder.join(Folder.join(place, "../roots"), plain))
          default: return nil
          }
        }
        tally.add(file, report, scope)
      } catch { tally.add(file, error) }
    }
  }
}

/// What a run has found so far.
private struct Tally {
  private var lines: [String] = []
  private var files: [JSONValue] = []
  private var passed = 0
  private var failed = 0
  private var skipped = 0
  private var unnamed = 0

  mutating func add(_ file: UTF8Text, _ report: VectorReport, _ scope: VectorScope) {
    passed += report.passed
    failed += report.failures.count
    skipped += report.skips.count
    let counts = "\(report.passed) passed, \(report.failures.count) failed, \(report.skips.count) skipped"
    lines.append("\(Shown.path(file)): \(report.kind): \(counts)")
    for failure in report.failures {
      let (expected, actual) = (Shown.words(failure.expected), Shown.words(failure.actual))
      lines.append("  FAILED \(Shown.text(failure.id)): expected \(expected), got \(actual)")
    }
    var reasons: [SkipReason: Int] = [:]
    for reason in report.skips { reasons[reason, default: 0] += 1 }
    let described = reasons.map { (words: $0.key.description, count: $0.value, isNamed: scope.names($0.key)) }
      .sorted { $0.words < $1.words }
    for reason in described {
      if !reason.isNamed { unnamed += reason.count }
      let mark = reason.isNamed ? "skipped" : "SKIPPED, not named in the scope"
      lines.append("  \(mark): \(reason.words)\(reason.count > 1 ? " (\(reason.count))" : "")")
    }
    files.append([
      "file": .string(file), "kind": .string(UTF8Text(report.kind)),
      "passed": .number(JSONNumber(Int64(report.passed))),
      "failed": .array(
        report.failures.map {
          [
            "id": .string($0.id), "expected": .string(UTF8Text($0.expected)), "actual": .string(UTF8Text($0.actual)),
          ]
        }),
      "skipped": .array(report.skips.map { .string(UTF8Text($0.description)) }),
    ])
  }

  mutating func add(_ file: UTF8Text, _ error: VectorFileError) {
    failed += 1
    lines.append("\(Shown.path(file)): FAILED: \(error)")
    files.append(["file": .string(file), "error": .string(UTF8Text(error.description))])
  }

  func report() -> Report {
    var report = Report.done
    if failed > 0 {
      report = .refused("\(failed) failed: the lines marked FAILED say what was expected")
    } else if unnamed > 0 {
      report = .refused(
        "\(unnamed) skipped for reasons that the scope does not name: name them there, or mend the files")
    } else if passed == 0 {
      report = .refused("nothing was judged: every case was skipped")
    }
    let total = "\(passed) passed, \(failed) failed, \(skipped) skipped"
    report.fact("passed", "passed", .number(JSONNumber(Int64(passed))))
    report.fact("failed", "failed", .number(JSONNumber(Int64(failed))))
    report.fact("skipped", "skipped", .number(JSONNumber(Int64(skipped))))
    report.fact("files", "files", .array(files))
    report.body((lines + [total]).joined(separator: "\n"))
    return report
  }
}
