#!/bin/sh
# Verifies a passkey, a token and a code that other people's programs made, then a copy of each with one character
# changed: demo.sh PATH-TO-ASSAY. Fails if anything is not as it must be.
set -eu
assay=${1:-${ASSAY:-.build/release/assay}}
case $assay in
/*) ;;
*) assay=$PWD/$assay ;;
esac
cd "$(dirname "$0")/../.."
[ -x "$assay" ] || {
  echo "demo: there is no $assay: run make demo, which builds it" >&2
  exit 1
}

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
verified=0 refused=0 wrong=0

title() { printf '\n== %s\n' "$1"; }

indent() { sed 's/^/   /'; }

# What must be verified: prints what the tool says.
verify() {
  printf '   $ assay %s\n' "$*" | sed "s|$scratch/||g"
  if "$assay" "$@" >"$scratch/out" 2>&1; then
    verified=$((verified + 1))
  else
    wrong=$((wrong + 1))
    echo '   WRONG: this must be verified'
  fi
  indent <"$scratch/out"
}

# What must be refused, for a reason that matches the pattern: refuse WHAT PATTERN ARGUMENTS...
refuse() {
  what=$1 pattern=$2
  shift 2
  status=0
  "$assay" "$@" >"$scratch/out" 2>&1 || status=$?
  printf '\n   %s:\n' "$what"
  if [ "$status" -eq 1 ] && grep -q "$pattern" "$scratch/out"; then
    refused=$((refused + 1))
  else
    wrong=$((wrong + 1))
    echo "   WRONG: this must be refused with \"$pattern\", the exit status was $status"
  fi
  sed -n 's/.*: refused: /   REFUSED: /p' "$scratch/out" | sed "s|$scratch/||"
}

# Copies standard input with one character changed: the one so many places after the first MARKER.
alter() {
  awk -v marker="$1" -v places="$2" '
    !done && (start = index($0, marker)) {
      at = start + length(marker) + places
      $0 = substr($0, 1, at - 1) (substr($0, at, 1) == "A" ? "B" : "A") substr($0, at + 1)
      done = 1
    }
    { print }
    END { exit !done }'
}

create=Vectors/webauthn/chromium/01-es256-none-create.json
get=Vectors/webauthn/chromium/02-es256-none-get.json

title 'A passkey is registered: what Chromium sent to the server'
verify passkey verify "$create"
alter '"attestationObject": "' 44 <"$create" >"$scratch/altered-registration.json"
refuse 'One character of the attestation object changed' '7.1 step 14' \
  passkey verify "$scratch/altered-registration.json"

title 'Its owner signs in: what Chromium sent then'
verify passkey verify "$get"
alter '"signature": "' 40 <"$get" >"$scratch/altered-sign-in.json"
refuse 'One character of the signature changed' '7.2 step 21' \
  passkey verify --registration "$create" "$scratch/altered-sign-in.json"

title 'A token made by PyJWT'
verify jwt verify --key Vectors/demo/token.jwk --issuer https://id.example --audience api --at 1767225610 @Vectors/demo/token.jwt
alter . 12 <Vectors/demo/token.jwt >"$scratch/altered-token.jwt"
refuse 'One character of the claims changed' 'at step 6, signature' \
  jwt verify --key Vectors/demo/token.jwk --issuer https://id.example --audience api --at 1767225610 \
  "@$scratch/altered-token.jwt"
refuse 'Unchanged, an hour too late' 'at step 7, claims: exp' \
  jwt verify --key Vectors/demo/token.jwk --issuer https://id.example --audience api --at 1767232810 @Vectors/demo/token.jwt

# SECRET, TIME and CODE.
. ./Vectors/demo/code.env
printf '%s\n' "$SECRET" >"$scratch/secret"

title 'A one-time code made by oathtool'
verify otp verify --secret-file "$scratch/secret" --at "$TIME" --after "$((TIME / 30 - 1))" "$CODE"
# A leading 1 keeps the shell from reading a leading zero as octal.
another=$(printf '%06d' $(((1$CODE + 1) % 1000000)))
refuse 'The last digit changed' 'not that of any step' \
  otp verify --secret-file "$scratch/secret" --at "$TIME" --after "$((TIME / 30 - 1))" "$another"
refuse 'The same code a second time' 'was accepted already' \
  otp verify --secret-file "$scratch/secret" --at "$TIME" --after "$((TIME / 30))" "$CODE"

title 'Summary'
echo "   $verified of 4 inputs verified, $refused of 6 altered or late ones refused"
[ "$wrong" -eq 0 ] && [ "$verified" -eq 4 ] && [ "$refused" -eq 6 ] || {
  echo 'demo: FAILED, see WRONG above' >&2
  exit 1
}
