#!/bin/sh
# Times the verifiers beside the raw library calls and writes .build/bench.json. Ends with 1 if a target is missed.
# On a busy machine every ratio grows a little: our part has more memory traffic than the raw arithmetic.
set -eu
cd "$(dirname "$0")/../.."

build=.build/benchmarks
"${SWIFT:-swift}" build --package-path Tests/Benchmarks --scratch-path "$build" -c release
exec "$build/release/Benchmarks" .build/bench.json
