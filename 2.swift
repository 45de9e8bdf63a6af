import Assay

/// Returns the step to store: a code of that step or an earlier one is refused from then on.
func accept(_ code: String, secret: String, lastStep: UInt64?) throws -> UInt64 {
  try TOTP(base32: Array(secret.utf8).span).verify(Array(code.utf8).span, at: .now(), after: lastStep)
}
