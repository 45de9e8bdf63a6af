#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

// `CommandLine.arguments` would mend what is not UTF-8: other bytes than were given, and the name of another file.
let words = unsafe UnsafeBufferPointer(start: CommandLine.unsafeArgv, count: Int(CommandLine.argc)).dropFirst()
exit(Tool.run(unsafe words.map { unsafe $0.flatMap { unsafe String(validatingCString: $0) } }))
