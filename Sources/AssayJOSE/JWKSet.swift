public import AssayCodec

/// A JWK Set (RFC 7517, 5): the public keys that an issuer publishes.
///
/// One key that cannot be used does not spoil the others: the good ones are kept, and the rest are listed with the reason.
/// Private and symmetric keys are among the refused: whoever published one should be told.
public struct JWKSet: Hashable, Sendable {
  /// A key of the set that was not taken.
  public struct RefusedKey: Hashable, Sendable {
    /// Its position in `keys`, from 0.
    public let position: Int
    /// Its `kid`, if it has one that is a string.
    public let kid: UTF8Text?
    /// Why it was not taken.
    public let reason: KeyError
  }

  /// The most keys a set may have.
  public static let maximumKeys = 1024
  /// The longest text of a set, in bytes.
  public static let maximumBytes = 1 << 20

  /// The keys that could be read, in their order. Which of them fit an algorithm is not judged here.
  public let keys: [JWK]
  /// The keys that could not.
  public let refused: [RefusedKey]

  /// Where each of `keys` stood, from 0.
  package var positions: [Int] {
    let taken = Set(refused.map(\.position))
    return (0..<(keys.count + refused.count)).filter { !taken.contains($0) }
  }

  /// Reads the JSON text of a set. Members beside `keys` are ignored (RFC 7517, 5).
  public init(json: Span<UInt8>) throws(JWKSetError) {
    let value: JSONValue
    do throws(CodecError) {
      value = try JSONValue.decode(json, limits: JSONLimits(maximumBytes: Self.maximumBytes))
    } catch {
      throw JWKSetError(.malformed(error))
    }
    try self.init(value)
  }

  /// Reads a set.
  public init(_ value: JSONValue) throws(JWKSetError) {
    guard let object = value.object else { throw JWKSetError(.notAnObject) }
    guard let member = object["keys"] else { throw JWKSetError(object["kty"] == nil ? .keysMissing : .singleKey) }
    guard let entries = member.array else { throw JWKSetError(.keysNotAnArray) }
    guard entries.count <= Self.maximumKeys else { throw JWKSetError(.tooManyKeys(limit: Self.maximumKeys)) }
    var keys: [JWK] = []
    var refused: [RefusedKey] = []
    for (position, entry) in entries.enumerated() {
      do throws(KeyError) {
        keys.append(try JWK(entry))
      } catch {
        refused.append(RefusedKey(position: position, kid: entry["kid"]?.string, reason: error))
      }
    }
    self.keys = keys
    self.refused = refused
  }
}

/// Why a JWK Set as a whole cannot be read.
public struct JWKSetError: Error, Hashable, Sendable {
  /// The kind of fault.
  @nonexhaustive
  public enum Code: Hashable, Sendable {
    /// It is not JSON, or too long.
    case malformed(CodecError)
    /// It is JSON, but not an object.
    case notAnObject
    /// It is one JWK.
    case singleKey
    /// It has no member `keys`.
    case keysMissing
    /// Its member `keys` is not an array.
    case keysNotAnArray
    /// It has more keys than the limit.
    case tooManyKeys(limit: Int)
  }

  /// The kind of fault.
  public let code: Code

  init(_ code: Code) { self.code = code }
}

extension JWKSetError: CustomStringConvertible {
  /// One line for a person: what is wrong and what a set looks like.
  public var description: String {
    switch code {
    case .malformed(let fault): "the JWK Set is not JSON that can be read: \(fault)"
    case .notAnObject: "a JWK Set is a JSON object with the member keys"
    case .singleKey: "this is one JWK: a JWK Set has its keys in the array keys"
    case .keysMissing: "there is no member keys: give the document that the issuer's jwks_uri points to"
    case .keysNotAnArray: "the member keys must be an array of JWKs"
    case .tooManyKeys(let limit): "there are too many keys: at most \(limit) are read"
    }
  }
}
