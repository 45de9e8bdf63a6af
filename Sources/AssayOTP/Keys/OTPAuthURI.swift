public import AssayCodec

/// An `otpauth` URI that was read: the key in it, and what a person should know before trusting it (Google's
/// Key-Uri-Format; it is what the QR codes of authenticator apps hold).
///
/// The grammar is `otpauth://type/label?parameters`. A URI proves nothing about who issued it: the names in it are whatever
/// its maker wrote.
public struct OTPAuthURI: ~Copyable, Sendable {
  /// The longest URI that is read or written, in bytes.
  public static let maximumBytes = 4096
  /// How many digits strict mode allows: those that authenticator apps know.
  static let strictDigits = 6...8

  /// How much is tolerated.
  public enum Mode: Hashable, Sendable {
    /// What issuers really hand out. What departs from the format is told as a warning wherever it can be read in one way
    /// only, and is an error otherwise.
    case lenient
    /// Key-Uri-Format to the letter, and RFC 4226's least length of a secret: for judging what one makes oneself.
    case strict
  }

  /// The key.
  public let key: OTPKey
  /// The issuer in the label where it differs from the parameter `issuer`, which is the key's. Which of the two is right,
  /// if any, a person must decide.
  public let labelIssuer: UTF8Text?
  /// Parameters without a meaning here, in their order. They had no influence on the key.
  public let otherParameters: [Parameter]
  /// What departs from the format, each kind once.
  public let warnings: [Warning]

  /// A parameter that has no meaning here.
  public struct Parameter: Hashable, Sendable {
    /// Its name, with its escapes replaced.
    public let name: UTF8Text
    /// Its value, with its escapes replaced; empty also if there is no `=`.
    public let value: UTF8Text
  }

  /// Reads a URI.
  ///
  /// - Parameters:
  ///   - uri: The URI. It holds the secret; the caller wipes it.
  ///   - mode: How much is tolerated.
  /// - Throws: The first fault, never with any part of the URI.
  public init(_ uri: Span<UInt8>, _ mode: Mode) throws(OTPKeyError) {
    self = try OTPAuthReader.read(uri, mode)
  }

  /// Gives the key away, to keep it without the rest.
  public consuming func takeKey() -> OTPKey { key }

  /// Takes what was read.
  init(key: consuming OTPKey, labelIssuer: UTF8Text?, otherParameters: [Parameter], warnings: [Warning]) {
    self.key = key
    self.labelIssuer = labelIssuer
    self.otherParameters = otherParameters
    self.warnings = warnings
  }
}

extension OTPAuthURI {
  /// A departure from the format that was tolerated.
  @nonexhaustive
  public enum Warning: Hashable, Sendable, CaseIterable {
    /// White space around the URI.
    case surroundingSpace
    /// Characters that a URI has only escaped: spaces, characters beyond ASCII, `#` in the label.
    case rawReserved
    /// Something after `#`, which was not read.
    case fragment
    /// Scheme, type or parameter names in another case.
    case letterCase
    /// A parameter that is there without a value: it counts as absent.
    case emptyParameter
    /// A parameter that is for the other kind of key: it was not read.
    case irrelevantParameter
    /// Plus signs in the issuer stand for spaces, as the label shows.
    case plusInQuery
    /// The label and the parameter name different issuers.
    case issuerMismatch
    /// The issuer's name has a colon.
    case colonInIssuer
    /// The account's name has a colon.
    case colonInAccount
    /// The account's name is empty.
    case emptyAccount
    /// The secret is shorter than `HOTP.minimumSecretBytes`.
    case weakSecret
    /// The last character of the secret has bits that belong to no byte.
    case noncanonicalSecret
    /// A counter-based key without a counter: it begins at 0.
    case missingCounter
  }
}

extension OTPAuthURI.Warning: CustomStringConvertible {
  /// The name in our vectors and in the tool's output.
  package var name: UTF8Text {
    switch self {
    case .surroundingSpace: "surrounding_space"
    case .rawReserved: "raw_reserved"
    case .fragment: "fragment"
    case .letterCase: "case"
    case .emptyParameter: "empty_parameter"
    case .irrelevantParameter: "irrelevant_parameter"
    case .plusInQuery: "plus_in_query"
    case .issuerMismatch: "issuer_mismatch"
    case .colonInIssuer: "colon_in_issuer"
    case .colonInAccount: "colon_in_account"
    case .emptyAccount: "empty_account"
    case .weakSecret: "weak_secret"
    case .noncanonicalSecret: "noncanonical_secret"
    case .missingCounter: "missing_counter"
    }
  }

  /// One line for a person.
  public var description: String {
    switch self {
    case .surroundingSpace: "there is white space around the URI"
    case .rawReserved: "characters are not escaped that must be: other readers may stop there"
    case .fragment: "what follows # was not read"
    case .letterCase: "the scheme, the type or a parameter's name is not in lower case"
    case .emptyParameter: "a parameter has no value: it counts as absent"
    case .irrelevantParameter: "a parameter is for the other kind of key: it was not read"
    case .plusInQuery: "plus signs in the issuer stand for spaces: other readers may show them"
    case .issuerMismatch: "the label names another issuer than the parameter issuer: know which one is right"
    case .colonInIssuer: "the issuer's name has a colon: other readers may split it there"
    case .colonInAccount: "the account's name has a colon: other readers may split it there"
    case .emptyAccount: "the account has no name"
    case .weakSecret: "the secret has fewer than \(HOTP.minimumSecretBytes * 8) bits"
    case .noncanonicalSecret: "the secret's last character has bits that belong to no byte: a character may be missing"
    case .missingCounter: "there is no counter: the key begins at 0"
    }
  }
}
