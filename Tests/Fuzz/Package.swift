// swift-tools-version: 6.3
import PackageDescription

// A package of its own: an executable with libFuzzer's `main` would break `swift test` of the package above.
// Run through run.sh, which gives every module, AssayCodec too, the instrumentation.
let target: [SwiftSetting] = [
  .swiftLanguageMode(.v6), .strictMemorySafety(), .treatAllWarnings(as: .error),
  .enableUpcomingFeature("ExistentialAny"), .unsafeFlags(["-parse-as-library"]),
]
let linker: [LinkerSetting] = [.unsafeFlags(["-sanitize=fuzzer", "-use-ld=lld"])]
let assay: Target.Dependency = .product(name: "Assay", package: "assay")
/// Offered only where ASSAY_TEST_PRODUCTS is set, as run.sh does.
let authenticator: Target.Dependency = .product(name: "TestAuthenticator", package: "assay")

let package = Package(
  name: "fuzz",
  dependencies: [.package(name: "assay", path: "../..")],
  targets: [
    .target(name: "CFuzz"),
    .target(name: "FuzzSupport", swiftSettings: target),
  ]
    + [
      "FuzzAndroidKeyDescription",
      "FuzzAttestationObject",
      "FuzzAuthenticatorData",
      "FuzzBase64URL",
      "FuzzCBOR",
      "FuzzCOSEKey",
      "FuzzCeremony",
      "FuzzCertificate",
      "FuzzClientData",
      "FuzzJSON",
      "FuzzJWK",
      "FuzzJWKSet",
      "FuzzJWS",
      "FuzzKeyDER",
      "FuzzMetadata",
      "FuzzMigration",
      "FuzzOCRASuite",
      "FuzzOTPAuth",
      "FuzzPEM",
      "FuzzProfiles",
      "FuzzTPM",
    ].map { name in
      .executableTarget(
        name: name,
        dependencies: ["CFuzz", "FuzzSupport", assay] + (name == "FuzzCeremony" ? [authenticator] : []),
        swiftSettings: target, linkerSettings: linker)
    }
)
