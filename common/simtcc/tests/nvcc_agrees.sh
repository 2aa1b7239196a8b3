#!/bin/bash
# What simtcc takes, nvcc takes, and what simtcc refuses, nvcc refuses, but for the programs that say
# "// nvcc: takes it", and those with headers that the toolkit lacks. Exit code 77: there is no nvcc here.
# Usage: nvcc_agrees.sh <folder of programs> [nvcc]
nvcc=${2:-$(command -v nvcc || echo /usr/local/cuda/bin/nvcc)}
[ -x "$nvcc" ] || exit 77
check() {
  grep -qE '^// (nvcc: lacks a header|needs:)' "$2" && return 0
  flags=$(sed -n 's|^// nvcc: \(--.*\)|\1|p' "$2")
  "$1" -arch=sm_90 -cubin -w $flags -o /dev/null "$2" > /dev/null 2>&1
  taken=$?
  if grep -q '^// refused:' "$2" && ! grep -q '^// nvcc: takes it' "$2"; then
    [ $taken -ne 0 ] || { echo "nvcc takes $2"; return 1; }
  elif [ $taken -ne 0 ] && ! grep -q 'rdc=true' "$2"; then
    echo "nvcc refuses $2"
    return 1
  fi
}
export -f check
find "$1" -name '*.cu' -print0 | xargs -0 -P "$(nproc)" -I {} bash -c 'check "$@"' _ "$nvcc" {}
