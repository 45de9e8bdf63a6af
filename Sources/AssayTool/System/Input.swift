internal import AssayCodec
internal import AssayCrypto

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// Reads whole files and standard input, up to a limit.
enum Input {
  /// The largest input, in bytes. Nothing the tool reads comes near it.
  static let maximumBytes = 16 << 20

  /// The bytes of a file, or of standard input if `path` is `-`.
  ///
  /// Regular files and pipes are read. Folders, devices and sockets are refused: they are never what was meant, and some
  /// of them have no end.
  static func read(_ path: UTF8Text) throws(Failure) -> [UInt8] {
    guard path != "-" else { return try readAll(0, "standard input") }
    guard !path.isEmpty, !path.utf8.contains(0) else { throw .usage("the name of a file is empty or no name at all") }
    // A URI may hold a secret, and is none of our business.
    let isURI = path.utf8.contains(UInt8(ascii: ":")) && !exists(path)
    guard !isURI else { throw .usage("the name of a file is expected, or -, and this looks like a URI") }
    let shown = Shown.text(path)
    // Without O_NONBLOCK, opening a named pipe waits for its writer, perhaps for ever.
    let descriptor = unsafe open(path.string, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    guard descriptor >= 0 else { throw .usage("\(shown) cannot be read: \(SystemError.message(errno))") }
    defer { close(descriptor) }
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else {
      throw .usage("\(shown) cannot be read: \(SystemError.message(errno))")
    }
    switch status.st_mode & S_IFMT {
    case S_IFREG: break
    case S_IFIFO: _ = fcntl(descriptor, F_SETFL, O_RDONLY)
    case S_IFDIR: throw .usage("\(shown) is a folder: name a file in it")
    default: throw .usage("\(shown) is a device or socket: name a file, or - for standard input")
    }
    return try readAll(descriptor, shown)
  }

  /// Whether there is a regular file of this name.
  static func isFile(_ path: UTF8Text) -> Bool { kind(path) == S_IFREG }

  /// Whether there is anything of this name.
  static func exists(_ path: UTF8Text) -> Bool { kind(path) != nil }

  /// What kind of file has this name (`S_IFREG` and its like), at the end of links; nil if there is none.
  static func kind(_ path: UTF8Text) -> mode_t? {
    var status = stat()
    let found = unsafe stat(path.string, &status)
    return found == 0 && !path.utf8.contains(0) ? status.st_mode & S_IFMT : nil
  }

  /// The same for text that is one line: the end of the line is not part of it.
  static func readLine(_ path: UTF8Text) throws(Failure) -> [UInt8] {
    var text = try read(path)
    if text.last == UInt8(ascii: "\n") { text.removeLast() }
    if text.last == UInt8(ascii: "\r") { text.removeLast() }
    return text
  }

  private static func readAll(_ descriptor: Int32, _ shown: String) throws(Failure) -> [UInt8] {
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    defer { wipe(&chunk) }
    while true {
      let count = unsafe chunk.withUnsafeMutableBytes { unsafe posixRead(descriptor, $0) }
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw .usage("\(shown) cannot be read: \(SystemError.message(errno))") }
      guard count > 0 else { return bytes }
      guard count <= maximumBytes - bytes.count else {
        wipe(&bytes)
        throw .refused("\(shown) has more than \(maximumBytes >> 20) MiB: nothing this tool reads is that large")
      }
      bytes.append(contentsOf: chunk[..<count])
    }
  }
}

/// `read` under a name that the methods of `Input` do not hide.
private func posixRead(_ descriptor: Int32, _ bytes: UnsafeMutableRawBufferPointer) -> Int {
  unsafe read(descriptor, bytes.baseAddress, bytes.count)
}
