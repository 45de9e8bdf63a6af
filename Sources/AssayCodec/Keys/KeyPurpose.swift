/// What a key is wanted for.
public enum KeyPurpose: Hashable, Sendable {
  /// Checking signatures.
  case verifying
  /// Making signatures.
  case signing

  /// What `key_ops` calls it (RFC 7517, 4.3).
  var operation: UTF8Text { self == .verifying ? "verify" : "sign" }
}

extension KeyPurpose {
  /// That what a JWK says about its key allows this purpose: `use` is `sig` or left out, `key_ops` names the purpose and,
  /// beside `use`, nothing but signing and verifying (RFC 7517, 4.3), and `alg` is a signature algorithm known here.
  package func check(use: UTF8Text?, keyOps: [UTF8Text]?, alg: UTF8Text?) throws(KeyError) {
    if let use, use != "sig" { throw KeyError(.usageNotAllowed(what: "use")) }
    if let keyOps {
      guard keyOps.contains(operation) else { throw KeyError(.usageNotAllowed(what: "key_ops")) }
      if use != nil, keyOps.contains(where: { $0 != "verify" && $0 != "sign" }) {
        throw KeyError(.contradiction("use", "key_ops"))
      }
    }
    if let alg, KeyRequirement(alg: alg) == nil {
      throw KeyError(.unsupported(what: "the algorithm (alg) that this key is marked for"))
    }
  }
}
