/// A rule of a store's protocol that an implementation breaks.
public struct ConformanceFailure: Error, CustomStringConvertible {
  /// The rule, in words.
  public let description: String
}

/// Requires what a rule says.
func require(_ holds: Bool, _ rule: String) throws(ConformanceFailure) {
  guard holds else { throw ConformanceFailure(description: rule) }
}

/// How many of `tasks` calls at once give what is wanted.
func race(_ tasks: Int, _ wins: @escaping @Sendable () async throws -> Bool) async throws -> Int {
  try await withThrowingTaskGroup(of: Bool.self) { group in
    for _ in 0..<tasks { group.addTask { try await wins() } }
    return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
  }
}

/// How often each race is run, and by how many.
public struct Races: Sendable {
  /// How many calls are made at once.
  public let tasks: Int
  /// How often.
  public let rounds: Int

  /// 64 tasks, 200 rounds, unless said otherwise.
  public init(tasks: Int = 64, rounds: Int = 200) {
    self.tasks = tasks
    self.rounds = rounds
  }
}
