#!/bin/sh
# The formatter's rules, then the rules of this repository that a search can prove.
set -eu
cd "$(dirname "$0")/.."

"${SWIFT:-swift}" format lint --strict --recursive Sources Tests Package.swift

failed=0
# Prints each line that breaks a rule. git grep ends with 0 when it finds something, 1 when nothing.
forbid() { # why, pattern, paths…
  why=$1 pattern=$2
  shift 2
  if git grep --untracked -nE "$pattern" -- "$@"; then
    echo "lint: $why" >&2
    failed=1
  elif [ $? -gt 1 ]; then
    echo "lint: the search itself failed" >&2
    failed=1
  fi
}

forbid 'only CShims/CAssayCrypto may include the headers of OpenSSL and libsodium' \
  '#[[:space:]]*(include|import)[[:space:]]*[<"](openssl/|sodium)' '*.c' '*.h' '*.modulemap' ':!CShims/CAssayCrypto' \
  ':!Tests/CErrorQueueProbe' ':!Tests/Benchmarks'
forbid 'only AssayCrypto may import the C shims, and nothing may import the system modules' \
  '^[^/]*import[[:space:]]+(CAssayCrypto|COpenSSL|CSodium)' 'Sources/*.swift' 'Tests/*.swift' ':!Sources/AssayCrypto'
forbid 'the system modules are not for Swift' \
  '^[^/]*import[[:space:]]+(COpenSSL|CSodium)' 'Sources/*.swift'
forbid 'only the tool may draw QR codes' \
  '(^[^/]*import[[:space:]]+CQREncode|#[[:space:]]*(include|import)[[:space:]]*[<"]qrencode)' \
  '*.swift' '*.c' '*.h' ':!Sources/AssayTool' ':!CShims/CQREncode'
forbid 'only AssayFoundation uses Foundation' \
  '^[^/]*import[[:space:]]+(.*[[:space:]])?Foundation' 'Sources/*.swift' ':!Sources/AssayFoundation'
forbid 'nothing reachable from input may trap' \
  '^([^/"]|/[^/])*(\<try!|\<as!|\<fatalError\>|\<precondition(Failure)?\>|\<unsafelyUnwrapped\>)' 'Sources/*.swift'
forbid 'unsafeFlags bars anyone from depending on the package by version' \
  '^[^/]*unsafeFlags' Package.swift
if git ls-files --cached --others --exclude-standard -- ':(glob)*.swift' ':(glob)*.[ch]' | grep -vx Package.swift; then
  echo 'lint: sources belong below Sources, CShims or Tests' >&2
  failed=1
fi
[ "$failed" -eq 0 ]
