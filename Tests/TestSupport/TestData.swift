public import Foundation

/// Where test data lies.
public enum TestData {
  /// The repository's own `Vectors` folder.
  public static let vectors = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "Vectors")

  /// Data that only our tests read.
  public static let own = vectors.deletingLastPathComponent().appending(path: "Tests/Data")

  /// A folder of further vectors that may not be carried in the repository, if the environment names one.
  public static let extra: URL? = ProcessInfo.processInfo.environment["EXTRA_VECTORS"].map { URL(filePath: $0) }

  /// Whether the further vectors are there; tests over them are enabled by it.
  public static var hasExtra: Bool { extra != nil }

  /// The JSON object in a file below the further vectors.
  public static func extraJSON(_ path: String) throws -> [String: Any] {
    guard let extra else { throw Missing(path: path) }
    return try json(extra.appending(path: path))
  }

  /// The bytes of a file.
  public static func bytes(_ url: URL) throws -> [UInt8] { [UInt8](try Data(contentsOf: url)) }

  /// Of the repository's vectors, what names the skips that are allowed and decides where sources disagree.
  public static func scope() throws -> [UInt8] { try bytes(vectors.appending(path: "scope.json")) }

  /// Every `.json` file of a folder, by name.
  public static func jsonFiles(in folder: URL) throws -> [URL] {
    try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
      .filter { $0.pathExtension == "json" }
      .sorted { $0.lastPathComponent < $1.lastPathComponent }
  }

  /// The JSON object in a file.
  public static func json(_ url: URL) throws -> [String: Any] {
    guard let object = try JSONSerialization.jsonObject(with: Data(contentsOf: url)) as? [String: Any] else {
      throw Missing(path: url.path)
    }
    return object
  }

  /// A file, or a member of one, that a test relies on is not there.
  public struct Missing: Error {
    /// What was looked for.
    public let path: String

    /// Says what was looked for.
    public init(path: String) { self.path = path }
  }
}

extension [String: Any] {
  /// A member that must be there, of the type the test expects.
  public func get<T>(_ name: String, as type: T.Type = T.self) throws -> T {
    guard let value = self[name] as? T else { throw TestData.Missing(path: name) }
    return value
  }
}
