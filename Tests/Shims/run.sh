#!/bin/sh
# Compiles the C shims under the address and undefined-behaviour sanitizers with two drivers, and runs both: one for the
# shims as they are, one with a self test that fails. Also holds the header to C11 and C++17 with every compiler there is.
set -eu
cd "$(dirname "$0")/../.."

shims=CShims/CAssayCrypto
build=$(mktemp -d)
trap 'rm -rf "$build"' EXIT
flags="-std=gnu11 -g -O1 -Wall -Wextra -Werror -pthread -I$shims/include -fsanitize=address,undefined
  -fno-sanitize-recover=all $(pkg-config --cflags libcrypto libsodium)"
libraries=$(pkg-config --libs libcrypto libsodium)
compiler=$(command -v clang || command -v cc)

found=0
for candidate in clang gcc; do
  command -v "$candidate" >/dev/null || continue
  found=$((found + 1))
  "$candidate" -std=c11 -Wall -Wextra -pedantic -Werror -fsyntax-only -x c "$shims/include/assayc_crypto.h"
  "$candidate" -std=c++17 -Wall -Wextra -pedantic -Werror -fsyntax-only -x c++ "$shims/include/assayc_crypto.h"
done
[ "$found" -gt 0 ] || { echo "shims: neither clang nor gcc is here" >&2; exit 1; }

# The linker of some toolchains warns about the sanitizer's own symbols: only its status counts.
# shellcheck disable=SC2086
"$compiler" $flags Tests/Shims/available.c "$shims"/*.c $libraries -o "$build/available" 2>"$build/log" ||
  { cat "$build/log" >&2; exit 1; }
# shellcheck disable=SC2046,SC2086
"$compiler" $flags Tests/Shims/unavailable.c $(ls "$shims"/*.c | grep -v /self_test.c) $libraries \
  -o "$build/unavailable" 2>"$build/log" || { cat "$build/log" >&2; exit 1; }

"$build/available"
"$build/unavailable"
echo "shims: clean under the sanitizers, and closed when the self test fails"
