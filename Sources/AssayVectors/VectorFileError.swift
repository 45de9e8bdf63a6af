/// Why a file of vectors cannot be used at all: it does not follow its schema.
package struct VectorFileError: Error, Sendable, CustomStringConvertible {
  /// What is wrong and, if it is in a case, in which.
  package let description: String

  /// Says what is wrong.
  package init(_ description: String) { self.description = description }
}
