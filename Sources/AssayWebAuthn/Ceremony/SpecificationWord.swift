internal import AssayCodec

/// A choice that has one word in options and records.
protocol SpecificationWord: CaseIterable {
  var word: UTF8Text { get }
}

extension SpecificationWord {
  init?(word: UTF8Text) {
    guard let match = Self.allCases.first(where: { $0.word == word }) else { return nil }
    self = match
  }
}

extension UserVerification: SpecificationWord {
  var word: UTF8Text {
    switch self {
    case .required: "required"
    case .preferred: "preferred"
    case .discouraged: "discouraged"
    }
  }
}

extension ResidentKey: SpecificationWord {
  var word: UTF8Text {
    switch self {
    case .required: "required"
    case .preferred: "preferred"
    case .discouraged: "discouraged"
    }
  }
}

extension AuthenticatorAttachment: SpecificationWord {
  var word: UTF8Text {
    switch self {
    case .platform: "platform"
    case .crossPlatform: "cross-platform"
    }
  }
}

extension AttestationConveyance: SpecificationWord {
  var word: UTF8Text {
    switch self {
    case .none: "none"
    case .indirect: "indirect"
    case .direct: "direct"
    case .enterprise: "enterprise"
    }
  }
}

extension SignCountPolicy: SpecificationWord {
  var word: UTF8Text {
    switch self {
    case .refuse: "refuse"
    case .report: "report"
    }
  }
}

extension CredentialHint: SpecificationWord {
  var word: UTF8Text {
    switch self {
    case .securityKey: "security-key"
    case .clientDevice: "client-device"
    case .hybrid: "hybrid"
    }
  }
}

extension UnknownAttestationPolicy: SpecificationWord {
  var word: UTF8Text {
    switch self {
    case .refuse: "refuse"
    case .ignore: "ignore"
    }
  }
}

extension BackupEligibilityPolicy: SpecificationWord {
  var word: UTF8Text {
    switch self {
    case .refuse: "refuse"
    case .allowUpgrade: "allow-upgrade"
    case .follow: "follow"
    }
  }
}
