import Assay
import FuzzSupport

/// One input of libFuzzer: the DER of a key, or of a certificate, of which only the key is read.
@c(LLVMFuzzerTestOneInput)
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = unsafe input(start, count)
  guard bytes.first == 0x30 else { return 0 }
  do {
    let file = try KeyFile.read(bytes.span)
    require(!file.isPEM && !file.wasEncrypted && !file.kind.isEmpty, "DER is read as DER")
    let format = file.format
    switch file.takeContents() {
    case .publicKey(let numbers):
      switch format {
      case .spki: require(numbers.spki() == bytes, "a key has one SubjectPublicKeyInfo")
      case .pkcs1: require(numbers.pkcs1() == bytes, "a key has one RSAPublicKey")
      default:
        require(format == .certificate, "a public key has one of three formats")
        let spki = numbers.spki()
        require(bytes.indices.contains { bytes[$0...].starts(with: spki) }, "the key is one that the input holds")
      }
    case .privateKey(let numbers):
      let der = numbers.pkcs8()
      let isSame = der.withSpan { der in
        guard let again = try? KeyFile.read(der) else { return false }
        return again.isPrivate && again.format == .pkcs8
      }
      require(isSame, "what is written can be read")
    case .compressedKey: break
    case .privateScalar: break
    case .symmetricKey: fatalError("broken promise: DER holds no symmetric key")
    @unknown default: break
    }
  } catch {
    require(!error.description.isEmpty, "a refusal says why")
    require((try? KeyFile.read(bytes.span)) == nil, "reading twice gives the same")
    require((try? PublicKeyNumbers(spki: bytes.span)) == nil, "one reader accepts no more than all of them")
    if case .malformed(let fault) = error.reason {
      require((0...bytes.count).contains(fault.offset), "an error points into the input")
    }
  }
  return 0
}
