// swift-tools-version: 6.3
import PackageDescription

// A package of its own: it is measured as its users see it, through the public product, in release.
let package = Package(
  name: "benchmarks",
  dependencies: [.package(name: "assay", path: "../..")],
  targets: [
    .systemLibrary(name: "COpenSSLBenchmarks", path: "Sources/COpenSSLBenchmarks", pkgConfig: "libcrypto"),
    .systemLibrary(name: "CSodiumBenchmarks", path: "Sources/CSodiumBenchmarks", pkgConfig: "libsodium"),
    .target(name: "CBenchmarks", dependencies: ["COpenSSLBenchmarks", "CSodiumBenchmarks"]),
    .executableTarget(
      name: "Benchmarks", dependencies: ["CBenchmarks", .product(name: "Assay", package: "assay")],
      swiftSettings: [.swiftLanguageMode(.v6), .treatAllWarnings(as: .error)]),
  ]
)
