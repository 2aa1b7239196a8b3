#!/bin/bash
# Compiles a CUDA program with simtcc, runs it, and compares what happens with the comments in it:
#   // prints: a line of stdout, in order     // exit: the exit code, 0 when not given
#   // says: a pattern in stdout, instead      // args: the program's arguments
#   // tells: a pattern in stderr             // once: one that only one line of it has
#   // refused: a pattern in what the compiler says
#   // also: more files of the program, beside it
#   // needs: a file of a library; skipped (77) where there is none   // flags: for simtcc
# Usage: run_program.sh <simtcc> <program.cu, or a folder of them> <folder to work in>
set -u
simtcc=$1 program=$2 work=$3
mkdir -p "$work"
if [ -d "$program" ]; then
  one() {
    said=$("$0" "$1" "$2" "$3/$(basename "$2" .cu)" 2>&1)
    case $? in 0 | 77) ;; *) printf '%s:\n%s\n' "$2" "$said"; return 1 ;; esac
  }
  export -f one
  find "$program" -name '*.cu' -print0 | xargs -0 -P "$(nproc)" -I {} bash -c 'one "$@"' "$0" "$simtcc" {} "$work"
  exit
fi
comments() { sed -n "s|^// $1: \(.*\)|\1|p" "$program"; }
fail() { echo "$1"; cat "$work/errors"; exit 1; }

for file in $(comments needs); do [ -e "$file" ] || { echo "skipped: no $file"; exit 77; }; done
files=("$program" $(comments flags))
for file in $(comments also); do files+=("$(dirname "$program")/$file"); done
"$simtcc" --gpu-compiler=none "${files[@]}" -o "$work/program" 2> "$work/errors"
compiled=$?
if [ -n "$(comments refused)" ]; then
  [ $compiled -ne 0 ] || fail "It compiles, and should be refused."
  comments refused | while read -r pattern; do
    grep -qE -- "$pattern" "$work/errors" || fail "This is not said: $pattern"
  done
  exit
fi
[ $compiled -eq 0 ] || fail "It does not compile."
expected=$(comments exit)
for search in 0 all; do  # as few blocks searched as can be, the others plain
  SIMT_QUIET=1 SIMT_SEARCH=$search "$work/program" $(comments args) > "$work/output" 2> "$work/errors"
  code=$?
  [ $code -eq "${expected:-0}" ] || fail "Exit code $code, not ${expected:-0}, with SIMT_SEARCH=$search."
  comments says | while read -r pattern; do
    grep -qE -- "$pattern" "$work/output" || { cat "$work/output"; fail "Not printed, with SIMT_SEARCH=$search: $pattern"; }
  done || exit 1
  [ -n "$(comments says)" ] || diff <(comments prints) "$work/output" || fail "Another output, with SIMT_SEARCH=$search."
done
comments tells | while read -r pattern; do
  grep -qE -- "$pattern" "$work/errors" || fail "This is not said: $pattern"
done || exit 1
comments once | while read -r pattern; do
  [ "$(grep -cE -- "$pattern" "$work/errors")" = 1 ] || fail "This is not said once: $pattern"
done
