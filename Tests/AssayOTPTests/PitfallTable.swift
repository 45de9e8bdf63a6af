import Foundation
import TestSupport
import Testing

/// Each entry of the list of what went wrong elsewhere (`OTP-PITFALLS.md`), by its number, with what keeps it from happening
/// here.
@Suite struct PitfallTable {
  enum Answer {
    /// Functions of these tests that show it.
    case tests([String])
    /// Why it cannot be written down, and tests that show it where one can.
    case construction(String, [String])
    /// It is about what a server keeps (attempts, devices, drift, recovery codes) or a format that is not read yet.
    case later(String)
  }

  private static let oneCall = "verify returns the step or counter to store, not a yes, and takes the last one stored"

  static let table: [Int: Answer] = [
    1: .tests(["aUsedStepIsRefusedForGood", "everyVerdictOfTheCollection"]),
    2: .tests(["cve2021_43177"]),
    3: .construction("the step returned is the one that matched", ["aUsedStepIsRefusedForGood"]),
    4: .construction(
      "nothing is resynchronized unasked; two codes in a row only move the counter on",
      ["nothingBehindTheCounterIsFound", "aPairIsGoodOnce"]),
    6: .construction("steps are integers; there is no drift in seconds", ["everyVerdictOfTheCollection"]),
    7: .later("several devices of a user"),
    8: .construction(
      "the last step is one integer, and steps at or before it are refused whatever the clock says",
      ["aUsedStepIsRefusedForGood"]),
    9: .construction(oneCall, []),
    10: .construction(
      "there is no other call for enrolment: it gives a step to store too", ["aUsedStepIsRefusedForGood"]),
    11: .later("the store with compare-and-set; until then each call's documentation asks for one conditional write"),
    12: .tests(["theLookAheadNeverLooksBehind", "nothingBehindTheCounterIsFound"]),
    13: .construction("verify is a pure function: a failure returns no counter to store", []),
    15: .later("limiting attempts"),
    16: .later("limiting attempts"),
    17: .later("limiting attempts"),
    18: .tests(["secretsHaveALeastLength", "newKeysHaveRules", "everyURIInBothModes"]),
    19: .construction("a code is text of a fixed length, made digit by digit", ["givesTheRightCode"]),
    20: .tests(["everyByteAtEveryPlace", "everyVerdictOfTheCollection"]),
    21: .tests(["givesTheRightCode", "everyCodeOfTheCollection"]),
    22: .tests(["givesTheRightCode"]),
    23: .construction("counters are UInt64 from end to end", ["givesTheRightCode", "timeIsExactFromEndToEnd"]),
    24: .tests(["givesTheRightCode", "everyCodeOfTheCollection"]),
    25: .tests(["whatAppsIgnoreIsSaid", "givesTheRightCode"]),
    26: .tests(["makesAndAcceptsItsCode", "noCommonMistakeIsMade", "onlySteamsKeysMakeThem"]),
    27: .construction("OTPAlgorithm has three cases, each with a digest of 20 bytes or more", ["everyURIInBothModes"]),
    28: .construction("time is whole seconds since 1970; no calendar is used", ["timeIsExactFromEndToEnd"]),
    30: .tests(["everyVerdictOfTheCollection", "everyByteAtEveryPlace"]),
    31: .tests(["unknownAlgorithmsHaveNoValue", "everyURIInBothModes"]),
    32: .tests(["numbersOutOfRangeAreRefused", "aWindowHasLimits", "everyURIInBothModes", "newKeysHaveRules"]),
    34: .tests(["everyURIInBothModes", "everyTruncationAndEveryByte"]),
    35: .tests(["everyURIInBothModes"]),
    37: .tests(["everyURIInBothModes", "isWrittenInOneWay"]),
    38: .tests(["everyURIInBothModes", "readsBackAsTheSame"]),
    39: .tests(["everyURIInBothModes"]),
    40: .tests(["givesTheRightCode", "everySecretOfTheCollection", "everyLengthInEveryForm"]),
    41: .tests(["lookAlikesAreRefused", "everyByteAtEveryPlace", "everySecretOfTheCollection"]),
    42: .tests(["everyLinkOfTheCollection", "oneFieldSpoilsTheLink", "everyURIInBothModes"]),
    43: .tests(["newOnesAreRandomAndLongEnough", "secretsHaveALeastLength", "makesItsCodesAndNoOthers"]),
    44: .construction("secrets come from the operating system's generator", ["newOnesAreRandomAndLongEnough"]),
    45: .construction("every code of a window is computed and compared by sodium_memcmp", []),
    46: .construction(
      "secrets cannot be printed, errors hold no input",
      ["aCodeDoesNotPrintItself", "everyURIInBothModes", "lookAlikesAreRefused"]),
    47: .construction("the engine opens no files", []),
    48: .construction(
      "a code has exactly its digits: spaces are dropped in one place, the user interface, before it",
      ["everyByteAtEveryPlace"]),
  ]

  @Test func everyEntryIsAnswered() throws {
    #expect(Self.table.count == 43)
    guard let extra = TestData.extra else { return }
    let list = extra.deletingLastPathComponent().appending(path: "rules/OTP-PITFALLS.md")
    guard let text = try? String(contentsOf: list, encoding: .utf8) else { return }
    let numbers = text.split(separator: "\n").compactMap { line in
      line.split(separator: ".").first.flatMap { Int($0) }
    }
    #expect(Set(numbers) == Set(Self.table.keys))
    #expect(numbers.count == Self.table.count)
  }

  /// The tests named are there.
  @Test func everyTestNamedExists() throws {
    let folder = URL(filePath: #filePath).deletingLastPathComponent()
    let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
    let source = try files.map { try String(contentsOf: $0, encoding: .utf8) }.joined()
    for (number, answer) in Self.table {
      switch answer {
      case .tests(let names):
        #expect(!names.isEmpty, "\(number)")
        for name in names { #expect(source.contains("func \(name)("), "\(number): \(name)") }
      case .construction(let reason, let names):
        #expect(!reason.isEmpty, "\(number)")
        for name in names { #expect(source.contains("func \(name)("), "\(number): \(name)") }
      case .later(let what): #expect(!what.isEmpty, "\(number)")
      }
    }
  }
}
