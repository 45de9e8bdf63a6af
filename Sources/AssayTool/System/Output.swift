internal import AssayCodec

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// Writes to the standard streams and to new files.
enum Output {
  /// A stream the process was started with.
  enum Stream: Int32 {
    case standardOutput = 1
    case standardError = 2
  }

  /// Writes a secret to standard output, because that was asked for by name.
  static func write(_ secret: borrowing SecretBytes) throws(Failure) {
    let done = secret.withSpan { writeAll($0, Stream.standardOutput.rawValue) }
    guard done else { throw .usage("the output cannot be written: \(SystemError.message(errno))") }
  }

  /// Writes all of `bytes`.
  static func write(_ bytes: [UInt8], to stream: Stream) throws(Failure) {
    guard writeAll(bytes.span, stream.rawValue) else {
      throw .usage("the output cannot be written: \(SystemError.message(errno))")
    }
  }

  /// Makes a file that only its owner may read, for a secret.
  ///
  /// An existing file is an error, or, with `replacing`, is replaced in one step once the new one is complete.
  static func writeSecretFile(
    _ secret: borrowing SecretBytes, to path: String, replacing: Bool
  ) throws(Failure) {
    guard !path.isEmpty else { throw .usage("the name of the file to write is empty") }
    let target = replacing ? path + ".assay-new" : path
    let descriptor = unsafe open(target, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else {
      let shown = Shown.text(UTF8Text(target))
      guard errno == EEXIST else { throw .usage("\(shown) cannot be made: \(SystemError.message(errno))") }
      throw .usage(
        "\(shown) exists: choose another name\(replacing ? ", or remove it" : ", or replace it with --force")")
    }
    var done = secret.withSpan { writeAll($0, descriptor) } && fsync(descriptor) == 0
    done = close(descriptor) == 0 && done
    if done, replacing { done = unsafe rename(target, path) == 0 }
    guard done else {
      let reason = SystemError.message(errno)
      unsafe unlink(target)
      throw .usage("\(Shown.text(UTF8Text(path))) cannot be written: \(reason)")
    }
  }

  private static func writeAll(_ bytes: Span<UInt8>, _ descriptor: Int32) -> Bool {
    unsafe bytes.withUnsafeBytes { buffer in
      var offset = 0
      while offset < buffer.count {
        let rest = unsafe UnsafeRawBufferPointer(rebasing: buffer[offset...])
        let written = unsafe posixWrite(descriptor, rest)
        if written > 0 {
          offset += written
        } else if written == 0 || errno != EINTR {
          return false
        }
      }
      return true
    }
  }
}

/// `write` under a name that the methods of `Output` do not hide.
private func posixWrite(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
  unsafe write(descriptor, bytes.baseAddress, bytes.count)
}
