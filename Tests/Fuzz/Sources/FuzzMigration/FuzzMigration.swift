import Assay
import FuzzSupport

/// One input of libFuzzer: a link, and the message in one.
@c(LLVMFuzzerTestOneInput)
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = unsafe input(start, count)
  Reading.check(bytes)
  let data = Base64.encode(bytes.span).utf8.flatMap { byte in
    byte == UInt8(ascii: "+") ? Array("%2B".utf8) : [byte]
  }
  Reading.check(Array("otpauth-migration://offline?data=".utf8) + data)
  return 0
}

private enum Reading {
  static func check(_ link: [UInt8]) {
    guard let read = migration(link) else { return }
    require(read.entries.count <= OTPMigration.maximumKeys, "the keys are counted")
    guard !read.entries.isEmpty else { return }
    do {
      let uri = try read.uri()
      guard let again = migration(uri.withSpan { span in span.indices.map { span[$0] } }) else {
        require(false, "what is written can be read")
        return
      }
      require(again.part == read.part && again.skippedFields == 0, "it is the same part")
      require(again.entries.count == read.entries.count, "it has as many keys")
      for (one, other) in zip(read.entries, again.entries) {
        require(facts(one.key) == facts(other.key), "they are the same keys")
      }
    } catch {
      require(error.code == .tooLong, "what is read can be written")
    }
    var assembly = OTPMigrationAssembly()
    do { try assembly.add(read) } catch { require(false, "a part can be added once") }
    require(assembly.missing.count == read.part.size - 1, "one part is there")
  }

  private static func migration(_ link: [UInt8]) -> OTPMigration? {
    do {
      return try OTPMigration(link.span)
    } catch {
      require((0...link.count).contains(error.offset), "an error points into the input")
      return nil
    }
  }

  private struct Facts: Equatable {
    var issuer: UTF8Text?
    var account: UTF8Text
    var secret: [UInt8]
    var algorithm: OTPAlgorithm
    var digits: Int
    var factor: OTPKey.Factor
  }

  private static func facts(_ key: borrowing OTPKey) -> Facts {
    require(key.secret.count > 0 && key.secret.count <= HOTP.maximumSecretBytes, "a secret has its length")
    return Facts(
      issuer: key.issuer, account: key.account, secret: key.secret.withSpan { span in span.indices.map { span[$0] } },
      algorithm: key.algorithm, digits: key.digits, factor: key.factor)
  }
}
