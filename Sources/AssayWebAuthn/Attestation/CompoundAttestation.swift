internal import AssayCodec

// compound attStmt = [ 2* { fmt: text .ne "compound", attStmt: any } ]

extension AttestationStatement {
  /// The most statements in a compound one.
  static let maximumParts = 8

  /// Several statements about the one credential (WebAuthn L3, 8.9). All of them must verify, which is this relying party's
  /// policy on how many suffice; `index` of an error says which did not. Those of formats that are not known here count for
  /// nothing, if the policy ignores such, and so does the whole if there are no others.
  func verifiedCompound() throws(WebAuthnError) -> VerifiedAttestation {
    guard let statements = attStmt.array, (2...Self.maximumParts).contains(statements.count) else {
      throw malformed("attStmt")
    }
    var parts: [VerifiedAttestation] = []
    for (index, statement) in statements.enumerated() {
      do throws(WebAuthnError) {
        parts.append(try part(statement).verified())
      } catch {
        throw WebAuthnError(error.code, error.field, index: index, at: step, error.cause)
      }
    }
    guard parts.contains(where: { $0.type != .unverified }) else { return VerifiedAttestation(fmt, .unverified) }
    return VerifiedAttestation(fmt, of: parts)
  }

  /// One of the statements, with the inputs of the whole.
  private func part(_ statement: CBORValue) throws(WebAuthnError) -> AttestationStatement {
    guard statement.map?.count == 2, let fmt = statement["fmt"]?.text, let attStmt = statement["attStmt"] else {
      throw malformed("attStmt")
    }
    // Compound statements do not nest.
    guard AttestationFormat(word: fmt) != .compound else { throw malformed("fmt") }
    return AttestationStatement(
      fmt: fmt, attStmt: attStmt, authData: authData, rpIdHash: rpIdHash, attested: attested,
      clientDataHash: clientDataHash, key: key, policy: policy, now: now, step: step)
  }
}
