internal import AssayCodec

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// Lists folders.
enum Folder {
  /// The deepest folder below the one that was named that is looked into.
  private static let maximumDepth = 16

  /// Whether `path` names a folder.
  static func isFolder(_ path: UTF8Text) -> Bool {
    Input.kind(path) == S_IFDIR
  }

  /// The regular files in a folder and in those below it whose names end with `suffix`, in the order of their paths' bytes. Links
  /// to folders are not followed, so that no circle of them is walked.
  static func files(in folder: UTF8Text, endingWith suffix: UTF8Text, depth: Int = 0) throws(Failure) -> [UTF8Text] {
    guard depth <= maximumDepth else { throw .usage("\(Shown.text(folder)) has folders nested too deeply") }
    var files: [UTF8Text] = []
    for name in try names(in: folder) {
      let path = join(folder, name)
      var status = stat()
      guard unsafe lstat(path.string, &status) == 0 else { continue }
      switch status.st_mode & S_IFMT {
      case S_IFDIR: files += try self.files(in: path, endingWith: suffix, depth: depth + 1)
      case S_IFREG, S_IFLNK: if name.utf8.reversed().starts(with: suffix.utf8.reversed()) { files.append(path) }
      default: break
      }
    }
    return files
  }

  /// The path of a name in a folder.
  static func join(_ folder: UTF8Text, _ name: UTF8Text) -> UTF8Text {
    let slash = UInt8(ascii: "/")
    return UTF8Text(unchecked: folder.utf8 + (folder.utf8.last == slash ? [] : [slash]) + name.utf8)
  }

  /// The folder that a path lies in, and the name it has there.
  static func split(_ path: UTF8Text) -> (folder: UTF8Text, name: UTF8Text) {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return (".", path) }
    let folder = slash == 0 ? [UInt8(ascii: "/")] : Array(path.utf8[..<slash])
    return (UTF8Text(unchecked: folder), UTF8Text(unchecked: Array(path.utf8[(slash + 1)...])))
  }

  private static func names(in folder: UTF8Text) throws(Failure) -> [UTF8Text] {
    guard let stream = unsafe opendir(folder.string) else {
      throw .usage("\(Shown.text(folder)) cannot be read: \(SystemError.message(errno))")
    }
    defer { unsafe _ = closedir(stream) }
    var names: [UTF8Text] = []
    while let entry = unsafe readdir(stream) {
      let bytes = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { name in
        unsafe Array(name.prefix { $0 != 0 })
      }
      // A name that is not UTF-8 cannot be one of ours.
      guard let name = UTF8Text(validating: bytes.span), name.utf8.first != UInt8(ascii: ".") else { continue }
      names.append(name)
    }
    return names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }
}
