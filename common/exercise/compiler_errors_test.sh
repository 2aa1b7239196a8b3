#!/usr/bin/env bash
# What a compiler says of an exercise.cuh that lacks its kernel names that file.
# Usage: compiler_errors_test.sh <exercise.cpp, generated> <exercise.cuh> <folder to work in> <compiler> <flag>…
set -euo pipefail
source=$1 exercise=$2 work=$3
shift 3
mkdir -p "$work"
sed "s|$exercise|$work/exercise.cuh|" "$source" >"$work/exercise.cpp"

# The first line that says "error", for an exercise.cuh that sed has changed so.
error() {
  sed "$1" "$exercise" >"$work/exercise.cuh"
  "${compiler[@]}" -fsyntax-only "$work/exercise.cpp" >"$work/said" 2>&1 || true
  grep -m 1 "error: " "$work/said" || echo "no error"
}
compiler=("$@")
expect() {
  local said
  said=$(error "$1")
  if [[ $said != *"$2"* ]]; then
    echo "after $1: '$said', and not '$2'" >&2
    exit 1
  fi
}
expect 's/x/x/' 'no error'
expect 's/void exercise(/void exercize(/' "$work/exercise.cuh:1:"
expect 's/void exercise(/void exercize(/' 'this file has to define: __global__ void exercise('
errors=$(grep -c "error: " "$work/said")
[ "$errors" = 1 ] || { echo "one error said $errors times:" >&2; cat "$work/said" >&2; exit 1; }
expect 's/void exercise(/int exercise(/' "$work/exercise.cuh:1:"
expect 's/void exercise(/int exercise(/' 'this file has to define: __global__ void exercise('
expect 's/, size_t n)/)/' "$work/exercise.cuh:"
expect 's/threadIdx/threadIdxx/' "$work/exercise.cuh:"
if grep -q 'exerciseElementsPerThread =' "$exercise"; then
  expect '/exerciseElementsPerThread =/d' "$work/exercise.cuh:1:"
  expect '/exerciseElementsPerThread =/d' 'this file has to define: constexpr unsigned exerciseElementsPer'
  expect 's/exerciseElementsPerThread = .*/exerciseElementsPerThread = 0;/' 'exerciseElementsPerThread, 1 or more'
fi
