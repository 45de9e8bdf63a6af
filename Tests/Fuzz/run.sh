#!/bin/sh
# Builds the fuzz targets with instrumentation everywhere and runs each for FUZZ_SECONDS (60).
#   run.sh [TARGET…]
# What a run learns stays under .build/fuzz/corpus and is where the next one starts. Inputs that once broke something
# belong in Regressions/TARGET: they are run first, always.
set -eu
cd "$(dirname "$0")/../.."

seconds=${FUZZ_SECONDS:-60}
build=.build/fuzz
[ $# -gt 0 ] || set -- $(ls Tests/Fuzz/Sources | grep "^Fuzz" | grep -v FuzzSupport)

# A backtrace would take longer than the run; the sanitizers say where it happened.
export SWIFT_BACKTRACE=enable=no
# The test authenticator is part of no product otherwise.
export ASSAY_TEST_PRODUCTS=1

for target in "$@"; do
  "${SWIFT:-swift}" build --package-path Tests/Fuzz --scratch-path "$build/build" -c release --product "$target" \
    --sanitize=address -Xswiftc -sanitize=fuzzer
done
python3 Tests/Fuzz/seeds.py Vectors "$build/seeds"

for target in "$@"; do
  mkdir -p "$build/corpus/$target" "$build/found"
  log=$build/$target.log
  echo "fuzz: $target for $seconds s"
  status=0
  # These two keep keys, behind pointers that carry tag bits: the sanitizer takes them for lost.
  leaks=1
  case $target in FuzzCeremony | FuzzProfiles) leaks=0 ;; esac
  ASAN_OPTIONS=detect_leaks=$leaks "$build/build/release/$target" -max_total_time="$seconds" \
    -max_len=4096 -timeout=10 -rss_limit_mb=2048 \
    -dict="Tests/Fuzz/Dictionaries/$target.dict" -artifact_prefix="$build/found/$target-" -print_final_stats=1 \
    "$build/corpus/$target" "$build/seeds/$target" $([ -d "Tests/Fuzz/Regressions/$target" ] &&
      echo "Tests/Fuzz/Regressions/$target") >"$log" 2>&1 || status=$?
  if [ "$status" -ne 0 ]; then
    grep -E 'broken promise|ERROR|SUMMARY|Test unit written' "$log" >&2 || tail -n 20 "$log" >&2
    echo "fuzz: $target FAILED. The input is in $build/found/$target-*, the log in $log" >&2
    exit 1
  fi
  # Too few counters would mean that only the target itself is instrumented, and that the run saw nothing.
  counters=$(sed -n 's/.*Loaded [0-9]* modules* *(\([0-9]*\) inline 8-bit counters).*/\1/p' "$log" | head -n 1)
  [ "${counters:-0}" -ge 1000 ] || {
    echo "fuzz: $target has ${counters:-no} coverage counters: the library is not instrumented" >&2
    exit 1
  }
  runs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")
  echo "fuzz: $target clean: $runs runs, $counters counters, $(find "$build/corpus/$target" -type f | wc -l) inputs kept"
done
