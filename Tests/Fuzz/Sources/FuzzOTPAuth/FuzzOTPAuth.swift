import Assay
import FuzzSupport

/// One input of libFuzzer.
@c(LLVMFuzzerTestOneInput)
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = unsafe input(start, count)
  let strict = facts(bytes, .strict)
  let lenient = facts(bytes, .lenient)
  require(facts(bytes, .lenient) == lenient && facts(bytes, .strict) == strict, "reading twice gives the same")
  if let strict, let lenient, !lenient.isSteam, !lenient.warnings.contains(.letterCase) {
    require(strict.uri == lenient.uri, "what both modes accept, they read alike")
  }
  for read in [strict, lenient] {
    guard let read, let uri = read.uri else { continue }
    // An issuer called Steam makes an ordinary key of strict mode look like Steam Guard's.
    guard let again = facts(uri, .lenient), !again.isSteam else {
      require(read.issuer == "Steam", "what is written can be read")
      continue
    }
    require(again.uri == uri, "what is written is written again the same way")
    require(again.issuer == read.issuer && again.account == read.account, "the names are the same")
    require(again.labelIssuer == nil, "what is written names one issuer")
  }
  secret(bytes)
  return 0
}

/// What is read, so that it can be compared; the key as its own URI.
private struct Facts: Equatable {
  var issuer: UTF8Text?
  var account: UTF8Text
  var labelIssuer: UTF8Text?
  var isSteam: Bool
  var warnings: [OTPAuthURI.Warning]
  var others: [OTPAuthURI.Parameter]
  /// nil for Steam Guard, and where escaping makes the URI too long.
  var uri: [UInt8]?
}

private enum Reading {
  static func facts(_ bytes: [UInt8], _ mode: OTPAuthURI.Mode) -> Facts? {
    do {
      let read = try OTPAuthURI(bytes.span, mode)
      require(read.key.secret.count > 0 && read.key.secret.count <= HOTP.maximumSecretBytes, "a secret has its length")
      require(
        mode == .lenient
          || read.warnings.allSatisfy { $0 == .emptyParameter || $0 == .irrelevantParameter || $0 == .plusInQuery },
        "strict mode tolerates what has no influence alone")
      return Facts(
        issuer: read.key.issuer, account: read.key.account, labelIssuer: read.labelIssuer,
        isSteam: read.key.encoder == .steam, warnings: read.warnings, others: read.otherParameters,
        uri: written(read.key))
    } catch {
      require((0...bytes.count).contains(error.offset), "an error points into the input")
      return nil
    }
  }

  private static func written(_ key: borrowing OTPKey) -> [UInt8]? {
    do {
      let uri = try key.uri()
      return uri.withSpan { span in span.indices.map { span[$0] } }
    } catch {
      require(error.code == .tooLong || key.encoder == .steam, "what is read can be written")
      return nil
    }
  }
}

private func facts(_ bytes: [UInt8], _ mode: OTPAuthURI.Mode) -> Facts? { Reading.facts(bytes, mode) }

/// The same bytes as a secret in base32.
private func secret(_ bytes: [UInt8]) {
  do {
    let reading = try OTPSecret.read(bytes.span)
    let departs = !reading.departures.isEmpty
    let again = reading.secret.withSpan { Base32.encode($0) }
    require(departs || again.utf8 == bytes, "without a departure it is the one form")
    guard let strict = try? Base32.decode(again.utf8.span, .unpadded) else {
      require(false, "what is written can be read")
      return
    }
    require(strict.count == reading.secret.count, "the length is the same")
  } catch {
    require((0..<bytes.count).contains(error.offset), "an error points into the secret")
  }
}
