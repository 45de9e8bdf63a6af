internal import AssayCodec
internal import AssayCrypto

/// Authentication codes. A tag that is cut is compared with the leftmost bytes of ours.
enum WycheproofMAC {
  static func prepare(_ group: inout MemberReader, _ algorithm: UTF8Text?) throws(VectorFileError) -> WycheproofJudge {
    group.ignore("keySize")
    let tagBits = try group.integer("tagSize")
    guard tagBits > 0, tagBits % 8 == 0, let tagBytes = Int(exactly: tagBits / 8) else {
      throw group.fault("tagSize is no number of bytes")
    }
    let digest: Digest? =
      switch algorithm {
      case "HMACSHA1": .sha1
      case "HMACSHA256": .sha256
      case "HMACSHA384": .sha384
      case "HMACSHA512": .sha512
      default: nil
      }
    return { (one) throws(VectorFileError) in
      let key = try one.hex("key")
      let message = try one.hex("msg")
      let tag = try one.hex("tag")
      guard let digest else { return .skipped(.words("mac: \(algorithm?.string ?? "without a name")")) }
      do throws(CryptoError) {
        let code = try HMACKey(SecretBytes(copying: key.span), digest).authenticate(message.span)
        return .isValid(tag.count == tagBytes && tag == Array(code.prefix(tagBytes)))
      } catch {
        return .verdict(.invalid, because: error.description)
      }
    }
  }
}
