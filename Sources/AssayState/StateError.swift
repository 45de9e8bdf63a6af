/// Why state could not be read or changed. Whoever gets it has to refuse: nothing is known to be fresh.
///
/// Never holds a key, an identifier or a secret.
public struct StateError: Error, Hashable, Sendable {
  /// The kind of fault.
  @nonexhaustive
  public enum Code: Hashable, Sendable {
    /// A tenant's identifier is empty or longer than `Tenant.maximumBytes`.
    case tenantNotAllowed
    /// The store has no room left, and forgets nothing that still counts to make some.
    case full
    /// What was to be kept would have expired already: the store could no longer tell whether it was used.
    case alreadyExpired
    /// Something is kept under the key already.
    case keyInUse
    /// A state is longer than `CeremonyLimits.maximumStateBytes`.
    case stateTooLong
    /// A policy's figure is outside its bounds.
    case policyNotAllowed
    /// No device was given, more than `CodeVerifier.maximumDevices`, or one of them twice.
    case devicesNotAllowed
    /// So many recovery codes are not made: see `RecoveryCodes.countsAllowed`.
    case countNotAllowed
    /// The key for recovery codes is not for HMAC with SHA-256.
    case keyNotAllowed
    /// The cryptographic library could not be used.
    case unavailable
  }

  /// The kind of fault.
  public let code: Code

  package init(_ code: Code) { self.code = code }
}

extension StateError: CustomStringConvertible {
  /// One line for a person: what is wrong and what to do.
  public var description: String {
    switch code {
    case .tenantNotAllowed: "a tenant's identifier has 1 to \(Tenant.maximumBytes) bytes"
    case .full: "the store is full: give it more capacity, or shorten how long things are kept"
    case .alreadyExpired: "what was to be kept has expired already: check the clock"
    case .keyInUse: "something is kept under this key already: make identifiers from random bytes"
    case .stateTooLong: "a state has at most \(CeremonyLimits.maximumStateBytes) bytes"
    case .policyNotAllowed: "a figure of the policy is out of its bounds: its documentation names them"
    case .devicesNotAllowed: "give 1 to \(CodeVerifier.maximumDevices) devices, each once"
    case .countNotAllowed:
      "make \(RecoveryCodes.countsAllowed.lowerBound) to \(RecoveryCodes.countsAllowed.upperBound) recovery codes at once"
    case .keyNotAllowed: "the key for recovery codes must be one for HS256"
    case .unavailable: "the cryptographic library could not be used"
    }
  }
}
