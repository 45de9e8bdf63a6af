#!/bin/sh
# Exchanges tokens, keys, passkeys and codes with other people's libraries: run.sh PATH-TO-ASSAY
# The libraries live in a virtual environment under .build/peers. Without a network the first time, this is skipped;
# PEERS=required makes that a failure.
set -eu
tool=$1
cd "$(dirname "$0")/../.."
[ -x "$tool" ] || {
  echo "peers: there is no $tool: build it first" >&2
  exit 1
}
case ${PEERS:-} in
  '') on_absence=0 ;;
  required) on_absence=1 ;;
  *)
    echo "peers: PEERS may be 'required' or nothing" >&2
    exit 2
    ;;
esac

venv=.build/peers
wanted=Tests/Peers/requirements.txt
if ! cmp -s "$wanted" "$venv/installed.txt"; then
  rm -rf "$venv"
  mkdir -p .build
  if ! python3 -m venv "$venv" >.build/peers.log 2>&1 ||
    ! "$venv/bin/pip" install --quiet --disable-pip-version-check --requirement "$wanted" >>.build/peers.log 2>&1; then
    rm -rf "$venv"
    if [ "$on_absence" -eq 0 ]; then verdict=SKIPPED; else verdict='FAILED (PEERS=required)'; fi
    echo "peers: $verdict: the libraries could not be installed (see .build/peers.log)"
    exit "$on_absence"
  fi
  cp "$wanted" "$venv/installed.txt"
fi
"$venv/bin/python" Tests/Peers/tokens.py "$tool"
"$venv/bin/python" Tests/Peers/profiles.py "$tool"
"$venv/bin/python" Tests/Peers/codes.py "$tool"
sh Tests/Peers/tpm.sh "$tool"
sh Tests/Peers/chromium.sh "$tool" "$venv/bin/python"
"$venv/bin/python" Tests/Peers/metadata.py "$tool"
"$venv/bin/python" Tests/Peers/verdicts.py "$tool" Vectors
exec "$venv/bin/python" Tests/Peers/passkeys.py "$tool"
