#!/usr/bin/env bash
# Runs the fuzzers with clang's libFuzzer, AddressSanitizer and UndefinedBehaviorSanitizer, from the
# corpus in this folder. What they find is left in BUILD.
# Usage: common/fuzz/run.sh [RUNS [BUILD]]      (default 1000000 runs, build/fuzz)
set -euo pipefail
cd "$(dirname "$0")/../.."
runs=${1:-1000000}
build=${2:-build/fuzz}
cmake -S . -B "$build" -G Ninja -DCMAKE_CXX_COMPILER=clang++ -DWORKSHOP_GPU=OFF -DWORKSHOP_FUZZ=ON \
  -DWORKSHOP_SANITIZE=address,undefined -DCMAKE_BUILD_TYPE=RelWithDebInfo >/dev/null
cmake --build "$build" --target result_fuzzer count_fuzzer page_fuzzer card_fuzzer
for name in count result page card; do
  mkdir -p "$build/found_$name"
  "$build/${name}_fuzzer" -runs="$runs" -max_len=16384 -timeout=10 -print_final_stats=1 \
    -artifact_prefix="$build/" "$build/found_$name" "common/fuzz/corpus/$name"
done
