public import AssayCodec

/// A registration's authenticator data with the statement that vouches for it (WebAuthn L3, 6.5.4). Nothing is verified.
///
/// The object is any well-formed CBOR map: deployed clients and authenticators order and encode it in several ways, and
/// nothing depends on that, since its three members are each checked by themselves. Members of other names are ignored,
/// duplicate ones refused.
public struct AttestationObject: Hashable, Sendable {
  /// The attestation statement format identifier, such as `packed`.
  public let fmt: UTF8Text
  /// The attestation statement; its type is for the format to say.
  public let attStmt: CBORValue
  /// The authenticator data, as it stood.
  public let authData: [UInt8]

  /// Reads an attestation object, all of it.
  ///
  /// - Throws: `CodecError`, its field the member that is missing or has the wrong type, or `attestationObject`.
  public init(_ bytes: Span<UInt8>) throws(CodecError) {
    let object = try CBORValue.decode(bytes, form: .wellFormed, field: "attestationObject")
    guard object.map != nil else { throw CodecError(.wrongType, "attestationObject", at: 0) }
    fmt = try Self.member(object["fmt"], "fmt", \.text)
    attStmt = try Self.member(object["attStmt"], "attStmt") { $0 }
    authData = try Self.member(object["authData"], "authData", \.bytes)
  }

  private static func member<T>(
    _ value: CBORValue?, _ field: Field, _ read: (CBORValue) -> T?
  ) throws(CodecError) -> T {
    guard let value else { throw CodecError(.missing, field, at: 0) }
    guard let result = read(value) else { throw CodecError(.wrongType, field, at: 0) }
    return result
  }
}
