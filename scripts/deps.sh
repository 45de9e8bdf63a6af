#!/bin/sh
# Installs what this package needs and the machine lacks, through apt-get, as root or through sudo.
#   deps.sh engine              what linking the engine needs
#   deps.sh engine tool         and what building the tool needs
#   deps.sh engine tool tests   and what the tests need
# DRY_RUN=1 prints what would be installed and installs nothing.
set -eu

swift=${SWIFT:-swift}
oldest_swift=6.3
missing=

fail() {
  echo "deps: $*" >&2
  exit 1
}

# What is asked is whether the thing works, not which package it came from: an OpenSSL built by hand is as good.
need() { # package, then the command that succeeds when it is there
  package=$1
  shift
  "$@" >/dev/null 2>&1 || missing="$missing $package"
}

for group in "$@"; do
  case $group in
    engine)
      need pkg-config command -v pkg-config
      need libssl-dev pkg-config --atleast-version=3.0 libcrypto
      need libsodium-dev pkg-config --atleast-version=1.0.18 libsodium
      ;;
    tool)
      need libqrencode-dev pkg-config --atleast-version=4.0 libqrencode
      ;;
    tests)
      need git command -v git
      need binutils command -v readelf
      need openssl command -v openssl
      need oathtool command -v oathtool
      need zbar-tools command -v zbarimg
      need python3 command -v python3
      need python3-venv python3 -c 'import ensurepip, venv'
      ;;
    *) fail "no group named '$group': use engine, tool or tests" ;;
  esac
done

if [ -z "$missing" ]; then
  echo "deps: nothing is missing"
elif [ -n "${DRY_RUN:-}" ]; then
  echo "deps: would install:$missing"
else
  command -v apt-get >/dev/null 2>&1 ||
    fail "missing:$missing. This machine has no apt-get: install them (or what they are called here) by hand, then run this again."
  as_root=
  if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null 2>&1 ||
      fail "missing:$missing. Run 'apt-get install$missing' as root, then run this again (there is no sudo here)."
    as_root=sudo
  fi
  echo "deps: installing:$missing"
  log=$(mktemp)
  trap 'rm -f "$log"' EXIT
  # An old package list may still be good enough, so only the installation's failure counts.
  $as_root env DEBIAN_FRONTEND=noninteractive apt-get update -qq </dev/null >"$log" 2>&1 || true
  # shellcheck disable=SC2086 # the list is words on purpose
  $as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing \
    </dev/null >>"$log" 2>&1 || {
    tail -n 20 "$log" >&2
    fail "apt-get could not install:$missing (its last words are above). Is the network reachable?"
  }
fi

version=$("$swift" --version 2>/dev/null | sed -n 's/.*Swift version \([0-9][0-9]*\.[0-9][0-9]*\).*/\1/p' | head -n 1)
[ -n "$version" ] ||
  fail "no Swift compiler found as '$swift'. Install Swift $oldest_swift or later from https://www.swift.org/install/linux/"
[ "$(printf '%s\n' "$oldest_swift" "$version" | sort -t . -k 1,1n -k 2,2n | head -n 1)" = "$oldest_swift" ] ||
  fail "Swift $version is too old: install $oldest_swift or later from https://www.swift.org/install/linux/"
