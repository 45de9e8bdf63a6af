public import AssayCodec
public import AssayCrypto
public import AssayJOSE

/// Why metadata was refused. Never holds input.
public struct MetadataError: Error, Hashable, Sendable {
  /// The kind of fault.
  @nonexhaustive
  public enum Code: Hashable, Sendable {
    /// The BLOB's signature, or the token around it.
    case token(JWTError)
    /// Who signed the BLOB is not to be trusted.
    case certificatePath(CertificatePathError)
    /// The certificate of who signed the BLOB was not issued to the metadata service.
    case otherSigner
    /// The certificate of who signed the BLOB is an authority's, or not for signing (basicConstraints, keyUsage).
    case signerNotForSigning
    /// The BLOB is older than one that was accepted before.
    case rollback
    /// The day by which there was to be a newer BLOB is over.
    case outOfDate
    /// The payload is not JSON, or larger than a limit. The offset counts in the payload.
    case malformed(CodecError)
    /// There are more entries or identifiers than a limit.
    case tooMany
    /// A member that must be there is not.
    case missing
    /// A member has another JSON type than it must have.
    case wrongType
    /// A member has a value that it cannot have.
    case invalidValue
    /// The cryptographic library cannot be used.
    case unavailable
  }

  /// The kind of fault.
  public let code: Code
  /// The member, in the specification's words.
  public let field: Field
  /// Which entry it is about, from 0; nil if it is about all.
  public let entry: Int?

  init(_ code: Code, _ field: Field, entry: Int? = nil) {
    self.code = code
    self.field = field
    self.entry = entry
  }
}

extension MetadataError: CustomStringConvertible {
  /// One line for a person: which entry and member, what is wrong and what to do.
  public var description: String {
    let place = entry.map { "entry \($0), " } ?? ""
    switch code {
    case .token(let error): return "metadata BLOB: \(error)"
    case .certificatePath(let error): return "metadata BLOB, x5c: \(error)"
    case .otherSigner:
      return
        "metadata BLOB, \(field): its signer's certificate is not that of the metadata service; fetch it from there"
    case .signerNotForSigning:
      return "metadata BLOB, \(field): its signer's certificate is not one for signing data; fetch it from the service"
    case .malformed(let error): return "\(place)\(error)"
    case .rollback: return "\(field): the BLOB is older than the one accepted before; fetch it again"
    case .outOfDate: return "\(field): there is a newer BLOB since then; fetch it"
    case .tooMany: return "\(place)\(field): there are more than the limit"
    case .missing: return "\(place)\(field): it is required and missing"
    case .wrongType: return "\(place)\(field): it has the wrong JSON type"
    case .invalidValue: return "\(place)\(field): the value is not allowed"
    case .unavailable: return "OpenSSL or libsodium cannot be used"
    }
  }
}
