#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// The faults of files that people can mend, in words.
enum SystemError {
  static func message(_ code: Int32) -> String {
    switch code {
    case ENOENT: "there is no such file or folder"
    case EACCES, EPERM: "permission denied"
    case EISDIR: "it is a folder"
    case ENOTDIR: "a part of its path is not a folder"
    case ELOOP: "it is a symbolic link that may not be followed, or leads in a circle"
    case ENAMETOOLONG: "the name is too long"
    case ENOSPC, EDQUOT: "the disk is full"
    case EROFS: "the file system is read-only"
    case EBADF: "it is not open"
    default: "system error \(code)"
    }
  }
}
