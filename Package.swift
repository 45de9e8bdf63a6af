// swift-tools-version: 6.3
import PackageDescription

// Every Swift target is held to these. `Lifetimes` is experimental and is used only for `@_lifetime` in AssayCodec's
// readers; the public API takes `Span` and returns owned values, so no caller needs the flag.
let strict: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .strictMemorySafety(),
  .treatAllWarnings(as: .error),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("InferIsolatedConformances"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
  .enableUpcomingFeature("ImmutableWeakCaptures"),
  .enableExperimentalFeature("Lifetimes"),
]

// The same strictness for our C. `unsafeFlags` would bar anyone from depending on the package by version.
let strictC: [CSetting] = [
  .treatAllWarnings(as: .error),
  .enableWarning("all"), .enableWarning("extra"), .enableWarning("conversion"), .enableWarning("sign-conversion"),
  .enableWarning("shadow"), .enableWarning("strict-prototypes"), .enableWarning("missing-prototypes"),
]

let package = Package(
  name: "assay",
  products: [
    .library(name: "Assay", targets: ["Assay"]),
    .library(name: "AssayFoundation", targets: ["AssayFoundation"]),
    .library(name: "StoreConformance", targets: ["StoreConformance"]),
    .executable(name: "assay", targets: ["AssayTool"]),
  ],
  targets: [
    // The system's libraries: found through pkg-config, no declaration of theirs is visible to Swift.
    .systemLibrary(
      name: "COpenSSL", path: "CShims/COpenSSL", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
    .systemLibrary(
      name: "CSodium", path: "CShims/CSodium", pkgConfig: "libsodium", providers: [.apt(["libsodium-dev"])]),
    // The tool's alone: what depends on the engine neither needs nor links it.
    .systemLibrary(
      name: "CQREncode", path: "CShims/CQREncode", pkgConfig: "libqrencode", providers: [.apt(["libqrencode-dev"])]),

    // The only files that include OpenSSL's and libsodium's headers.
    .target(
      name: "CAssayCrypto", dependencies: ["COpenSSL", "CSodium"], path: "CShims/CAssayCrypto", cSettings: strictC),

    // The engine, lowest layer first. Each may use only what stands above it in this list.
    .target(name: "AssayCodec", swiftSettings: strict),
    .target(name: "AssayCrypto", dependencies: ["AssayCodec", "CAssayCrypto"], swiftSettings: strict),
    .target(name: "AssayJOSE", dependencies: ["AssayCodec", "AssayCrypto"], swiftSettings: strict),
    .target(name: "AssayWebAuthn", dependencies: ["AssayCodec", "AssayCrypto", "AssayJOSE"], swiftSettings: strict),
    .target(name: "AssayOTP", dependencies: ["AssayCodec", "AssayCrypto"], swiftSettings: strict),
    .target(
      name: "AssayState", dependencies: ["AssayCodec", "AssayCrypto", "AssayJOSE", "AssayWebAuthn", "AssayOTP"],
      swiftSettings: strict),
    .target(
      name: "Assay",
      dependencies: ["AssayCodec", "AssayCrypto", "AssayJOSE", "AssayWebAuthn", "AssayOTP", "AssayState"],
      swiftSettings: strict),

    // A product of its own, and the only module that imports Foundation: who does not ask for it does not link it.
    .target(
      name: "AssayFoundation", dependencies: ["AssayCodec", "AssayJOSE", "AssayState", "AssayWebAuthn"],
      swiftSettings: strict),

    // Not part of the engine's product: judges files of test vectors, for the tool and the tests.
    .target(
      name: "AssayVectors",
      dependencies: ["AssayCodec", "AssayCrypto", "AssayJOSE", "AssayWebAuthn", "AssayOTP"],
      swiftSettings: strict),
    .executableTarget(
      name: "AssayTool",
      dependencies: [
        "AssayCodec", "AssayCrypto", "AssayJOSE", "AssayWebAuthn", "AssayOTP", "AssayVectors", "CQREncode",
      ],
      swiftSettings: strict),

    .target(name: "TestSupport", path: "Tests/TestSupport", swiftSettings: strict),
    // What every implementation of a store must show, whatever it stores in.
    .target(
      name: "StoreConformance", dependencies: ["AssayCodec", "AssayState"], path: "Tests/StoreConformance",
      swiftSettings: strict),
    // Certificates and revocation lists of the tests' own, written by hand.
    .target(
      name: "TestCertificates", dependencies: ["AssayCodec", "AssayCrypto"], path: "Tests/TestCertificates",
      swiftSettings: strict),
    .target(
      name: "TestAuthenticator", dependencies: ["AssayCodec", "AssayCrypto", "AssayWebAuthn", "TestCertificates"],
      path: "Tests/TestAuthenticator", swiftSettings: strict),
    .testTarget(name: "AssayCodecTests", dependencies: ["AssayCodec", "TestSupport"], swiftSettings: strict),
    .target(
      name: "CErrorQueueProbe", dependencies: ["COpenSSL"], path: "Tests/CErrorQueueProbe", cSettings: strictC),
    .testTarget(
      name: "AssayCryptoTests",
      dependencies: ["AssayCodec", "AssayCrypto", "CErrorQueueProbe", "TestCertificates", "TestSupport"],
      swiftSettings: strict),
    .testTarget(
      name: "AssayFoundationTests",
      dependencies: ["AssayFoundation", "AssayCodec", "AssayCrypto", "AssayJOSE", "AssayState", "TestSupport"],
      swiftSettings: strict),
    .testTarget(
      name: "AssayJOSETests", dependencies: ["AssayCodec", "AssayCrypto", "AssayJOSE", "TestSupport"],
      swiftSettings: strict),
    .testTarget(
      name: "AssayOTPTests", dependencies: ["AssayCodec", "AssayOTP", "TestSupport"], swiftSettings: strict),
    .testTarget(
      name: "AssayStateTests",
      dependencies: [
        "AssayState", "AssayOTP", "AssayWebAuthn", "AssayJOSE", "AssayCrypto", "AssayCodec", "StoreConformance",
        "TestSupport",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "AssayToolTests",
      dependencies: [
        "AssayTool", "AssayOTP", "AssayWebAuthn", "AssayCrypto", "AssayCodec", "TestAuthenticator", "TestCertificates",
        "TestSupport",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "AssayVectorsTests", dependencies: ["AssayVectors", "AssayCodec", "TestSupport"], swiftSettings: strict),
    .testTarget(
      name: "AssayWebAuthnTests",
      dependencies: [
        "AssayWebAuthn", "AssayJOSE", "AssayCrypto", "AssayCodec", "AssayVectors", "TestAuthenticator",
        "TestCertificates",
        "TestSupport",
      ],
      swiftSettings: strict),
  ]
)

// For the fuzz targets, which are a package of their own; nobody else is offered what is made for tests.
if Context.environment["ASSAY_TEST_PRODUCTS"] != nil {
  package.products.append(.library(name: "TestAuthenticator", targets: ["TestAuthenticator"]))
}
