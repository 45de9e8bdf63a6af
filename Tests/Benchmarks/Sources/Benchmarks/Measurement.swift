import CBenchmarks

/// One operation of ours beside the raw call that does the same cryptography.
struct Row {
  let name: String
  /// Our time divided by the raw call's must not be more.
  let target: Double
  let assay: () throws -> Bool
  let raw: () -> Bool
}

/// What a row cost.
struct Result {
  let row: Row
  /// Medians over all rounds.
  let assayNs: Double
  let rawNs: Double
  /// The median of each round's own ratio: a round is so short that what slows one half mostly slows the other too. On a
  /// busy machine it is steadier than the ratio of the medians.
  let ratio: Double
  let assayAllocations: Double
  let rawAllocations: Double

  var isWithinTarget: Bool { ratio <= row.target }
}

/// An operation that C can call, and that says whether it verified: one that did not would be fast, and mean nothing.
private final class Operation {
  let name: String
  private let body: () throws -> Bool

  init(_ name: String, _ body: @escaping () throws -> Bool) {
    self.name = name
    self.body = body
  }

  private struct NotVerified: Error { let name: String }

  /// The processor time of one operation, the mean of `count`.
  func time(_ count: Int, stackOffset: Int = 0) throws -> Double {
    let context = Unmanaged.passUnretained(self).toOpaque()
    let operation: benchmark_operation = { context in
      guard let context else { return 0 }
      return (try? Unmanaged<Operation>.fromOpaque(context).takeUnretainedValue().body()) == true ? 1 : 0
    }
    let nanoseconds = benchmark_time(operation, context, count, stackOffset)
    guard nanoseconds > 0 else { throw NotVerified(name: name) }
    return Double(nanoseconds) / Double(count)
  }

  /// How often one operation allocates memory.
  func allocations(_ count: Int) throws -> Double {
    let start = benchmark_allocations()
    _ = try time(count)
    return (Double(benchmark_allocations() - start) / Double(count)).rounded()
  }
}

enum Measurement {
  /// Each round times both, one after the other, and is short: whatever else the machine does meets both alike.
  private static let rounds = 256
  private static let roundNs = 1_200_000.0

  static func measure(_ row: Row) throws -> Result {
    let assay = Operation(row.name, row.assay)
    let raw = Operation(row.name, row.raw)
    // Warm up, and find out how often an operation fits into a round.
    let warm = try assay.time(100) + raw.time(100)
    let count = max(4, Int(roundNs / warm))

    let allocations = (try assay.allocations(count), try raw.allocations(count))
    var assayTimes: [Double] = []
    var rawTimes: [Double] = []
    for round in 0..<rounds {
      // Every offset within a page, in steps of 16.
      let stackOffset = round * 16
      assayTimes.append(try assay.time(count, stackOffset: stackOffset))
      rawTimes.append(try raw.time(count, stackOffset: stackOffset))
    }
    return Result(
      row: row, assayNs: median(assayTimes), rawNs: median(rawTimes), ratio: median(zip(assayTimes, rawTimes).map(/)),
      assayAllocations: allocations.0, rawAllocations: allocations.1)
  }

  private static func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }
}
