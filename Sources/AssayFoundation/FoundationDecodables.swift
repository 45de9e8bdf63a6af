package import AssayCodec

#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

// What Foundation's types are in claims. By themselves they would read something else: a `Date` counts from 2001, `Data` is an
// array of numbers, a `URL` is an object.

extension Date: DirectlyDecodable {
  /// A NumericDate (RFC 7519, 2): a number from 0 to the end of the year 9999; fractions of a second are kept.
  package init(json value: JSONValue) throws(DecodingFault) {
    let seconds = try Double(json: value)
    guard seconds >= 0, seconds < Double(UnixTime.latestNumericDate) + 1 else { throw .notATime }
    self.init(timeIntervalSince1970: seconds)
  }
}

extension Data: DirectlyDecodable {
  /// Base64url without padding, as JOSE writes bytes (RFC 7515, 2).
  package init(json value: JSONValue) throws(DecodingFault) {
    let text = try UTF8Text(json: value)
    do throws(CodecError) {
      self.init(try Base64URL.decode(text.utf8.span))
    } catch { throw .notBytes }
  }
}

extension URL: DirectlyDecodable {
  /// Text that Foundation takes for a URL with a scheme, without putting anything right.
  package init(json value: JSONValue) throws(DecodingFault) {
    let text = try UTF8Text(json: value)
    // Foundation keeps what it takes for a fragment or path as it is; what is not visible ASCII is no URL (RFC 3986, 2).
    guard text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }), let url = URL(string: text.string), url.scheme != nil,
      url.absoluteString.utf8.elementsEqual(text.utf8)
    else { throw .notAURL }
    self = url
  }
}
