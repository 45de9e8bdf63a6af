#!/bin/sh
# Lets a real browser make ceremonies, and finishes them with Assay's tool: chromium.sh PATH-TO-ASSAY PYTHON
# Debian's Chromium is used where it is installed; where not, it is unpacked under .build/chromium, and the system is
# left as it is. Without it this is skipped; PEERS=required makes that a failure.
set -eu
tool=$1 python=$2
cd "$(dirname "$0")/../.."

root=$PWD/.build/chromium
library=$root/usr/lib/$(uname -m)-linux-gnu

works() { "$@" --version; }

unpacked() { # runs a command of words with the browser that was unpacked, beside the libraries that are installed
  home=$root/usr/lib/chromium
  "$@" env "LD_LIBRARY_PATH=$library:$library/nss:$library/pulseaudio:$home" "$home/chromium"
}

# Of what apt-get would do, only what is new: it would bring older packages up to date too.
unpack() {
  rm -rf "$root"
  mkdir -p "$root/packages" || return 1
  wanted=$(apt-get --simulate --no-install-recommends install chromium | awk '$1 == "Inst" && $3 !~ /^\[/ {print $2}')
  # shellcheck disable=SC2086 # a list of words
  [ -n "$wanted" ] && (cd "$root/packages" && apt-get download $wanted) || return 1
  for package in "$root"/packages/*.deb; do dpkg-deb -x "$package" "$root" || return 1; done
  rm -rf "$root/packages"
}

mkdir -p .build
if works chromium >.build/chromium.log 2>&1; then
  exec "$python" Tests/Peers/chromium.py "$tool" chromium
fi
if ! { unpacked works || { unpack && unpacked works; }; } >>.build/chromium.log 2>&1; then
  if [ "${PEERS:-}" = required ]; then verdict='FAILED (PEERS=required)' status=1; else verdict=SKIPPED status=0; fi
  echo "peers, Chromium: $verdict: no browser could be had (see .build/chromium.log)"
  exit "$status"
fi
unpacked exec "$python" Tests/Peers/chromium.py "$tool"
