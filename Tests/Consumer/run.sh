#!/bin/sh
# Someone else's package, depending on this one by version from a git URL: it builds with a plain `swift build`,
# imports only `Assay`, verifies one token, and links none of the libraries that only a server would need.
set -eu
cd "$(dirname "$0")/../.."
swift=${SWIFT:-swift}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() {
  echo "consumer: FAILED: $*" >&2
  exit 1
}

# The working tree as it is, committed or not, becomes version 0.0.1 of a repository of its own.
mkdir "$work/assay" "$work/consumer" "$work/consumer/Sources" "$work/consumer/Dates" "$work/consumer/Foundation" \
  "$work/consumer/Stores"
git ls-files --cached --others --exclude-standard | while IFS= read -r file; do
  [ -e "$file" ] || continue
  printf '%s\n' "$file"
done | tar -cf - -T - | tar -xf - -C "$work/assay"
(
  cd "$work/assay"
  git init --quiet
  git add --all
  git -c user.name=test -c user.email=test@localhost commit --quiet --message 'a version'
  git -c user.name=test -c user.email=test@localhost tag 0.0.1
)

cp Tests/Consumer/main.swift "$work/consumer/Sources/main.swift"
cp Tests/Consumer/Dates.swift "$work/consumer/Dates/main.swift"
# The README's examples are part of the program, so that they compile or this fails.
awk -v to="$work/consumer" '
  /^```swift$/ {
    getline
    if ($0 == "import Assay") { count++; file = to "/Sources/Example" count ".swift"; print > file }
    if ($0 == "import AssayFoundation") { file = to "/Foundation/Example.swift"; print > file }
    if ($0 == "import StoreConformance") { file = to "/Stores/Example.swift"; print > file }
    next
  }
  /^```$/ { file = "" }
  file { print > file }
' README.md
[ -e "$work/consumer/Sources/Example4.swift" ] || fail "the README has fewer than four examples"
[ -e "$work/consumer/Foundation/Example.swift" ] || fail "the README has no example with AssayFoundation"
[ -e "$work/consumer/Stores/Example.swift" ] || fail "the README has no example with StoreConformance"
cat >"$work/consumer/Package.swift" <<EOF
// swift-tools-version: 6.0
import PackageDescription

let package = Package(
  name: "consumer",
  dependencies: [.package(url: "file://$work/assay", from: "0.0.1")],
  targets: [
    .executableTarget(
      name: "consumer", dependencies: [.product(name: "Assay", package: "assay")], path: "Sources"),
    .executableTarget(name: "dates", dependencies: [.product(name: "Assay", package: "assay")], path: "Dates"),
    .target(
      name: "foundation",
      dependencies: [.product(name: "Assay", package: "assay"), .product(name: "AssayFoundation", package: "assay")],
      path: "Foundation"),
    .target(
      name: "stores",
      dependencies: [.product(name: "Assay", package: "assay"), .product(name: "StoreConformance", package: "assay")],
      path: "Stores"),
  ]
)
EOF

# Its own caches, so that no earlier 0.0.1 of this machine is taken for this one.
"$swift" build --package-path "$work/consumer" --cache-path "$work/cache" --config-path "$work/config" \
  --security-path "$work/security" >"$work/log" 2>&1 || {
  tail -n 30 "$work/log" >&2
  fail "it does not build"
}
program=$work/consumer/.build/debug/consumer
"$program" "$(cat Vectors/demo/token.jwt)" "$(cat Vectors/demo/token.jwk)" || fail "it does not verify the token"
"$work/consumer/.build/debug/dates" || fail "it misreads a type of Foundation"

linked=$(ldd "$program")
for library in libsqlite3 libpq libevent libcurl libqrencode libssl libFoundation; do
  case $linked in
    *"$library"*) fail "it links $library" ;;
  esac
done
# Besides these two, it links what every Swift program does.
for library in $(readelf -d "$program" | sed -n 's/.*NEEDED.*\[\(.*\)\]/\1/p'); do
  case $library in
    libcrypto.so.* | libsodium.so.* | libswift*.so | libc.so.* | libm.so.* | libgcc_s.so.* | libstdc++.so.* | ld-linux*) ;;
    *) fail "it links $library" ;;
  esac
done
for library in libcrypto libsodium; do
  readelf -d "$program" | grep -q "NEEDED.*$library" || fail "it does not link $library: this check sees nothing"
done

# Secrets can be neither printed nor compared, as the compiler sees it: each of these lines is an error, and no other.
cp Tests/Consumer/Misuse.swift "$work/consumer/Sources/Misuse.swift"
if "$swift" build --package-path "$work/consumer" --cache-path "$work/cache" --config-path "$work/config" \
  --security-path "$work/security" >"$work/log" 2>&1; then
  fail "secrets can be printed and compared"
fi
sed -n 's/.*Misuse\.swift:\([0-9]*\):[0-9]*: error:.*/\1/p' "$work/log" | sort -nu >"$work/refused"
grep -n '// refused$' Tests/Consumer/Misuse.swift | cut -d: -f1 >"$work/wanted"
cmp -s "$work/wanted" "$work/refused" || {
  grep 'error:' "$work/log" >&2 || tail -n 30 "$work/log" >&2
  fail "other lines of Misuse.swift are refused than those that say so"
}
echo "consumer: passed: built by version, imports only Assay, links libcrypto and libsodium and no server library"
