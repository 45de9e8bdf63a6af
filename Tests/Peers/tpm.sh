#!/bin/sh
# Verifies what a genuine TPM, in software, attests: tpm.sh PATH-TO-ASSAY
# Debian's swtpm and tpm2-pytss are used where they are installed; where not, they are unpacked under .build/tpm, and
# the system is left as it is. Without them this is skipped; PEERS=required makes that a failure.
set -eu
tool=$1
cd "$(dirname "$0")/../.."

python=/usr/bin/python3
root=$PWD/.build/tpm
packages='swtpm python3-tpm2-pytss python3-cbor2 python3-cryptography'

use() { # what was unpacked, beside what is installed
  library=$root/usr/lib/$(uname -m)-linux-gnu
  export PATH="$root/usr/bin:$PATH" PYTHONPATH="$root/usr/lib/python3/dist-packages"
  export LD_LIBRARY_PATH="$library:$library/swtpm"
}

works() { command -v swtpm && "$python" -c 'import cbor2, cryptography, tpm2_pytss'; }

# Of what apt-get would do, only what is new: it would bring older packages up to date too.
unpack() {
  rm -rf "$root"
  mkdir -p "$root/packages" || return 1
  # shellcheck disable=SC2086 # a list of words
  wanted=$(apt-get --simulate --no-install-recommends install $packages | awk '$1 == "Inst" && $3 !~ /^\[/ {print $2}')
  # shellcheck disable=SC2086
  [ -n "$wanted" ] && (cd "$root/packages" && apt-get download $wanted) || return 1
  for package in "$root"/packages/*.deb; do dpkg-deb -x "$package" "$root" || return 1; done
}

mkdir -p .build
if ! works >.build/tpm.log 2>&1; then
  use
  if ! { works || { unpack && works; }; } >>.build/tpm.log 2>&1; then
    if [ "${PEERS:-}" = required ]; then verdict='FAILED (PEERS=required)' status=1; else verdict=SKIPPED status=0; fi
    echo "peers, TPM: $verdict: no software TPM could be had (see .build/tpm.log)"
    exit "$status"
  fi
fi
exec "$python" Tests/Peers/tpm.py "$tool"
