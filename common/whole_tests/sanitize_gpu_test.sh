#!/usr/bin/env bash
# sanitize_gpu.sh with programs and a compute-sanitizer that only look like some: every way in which
# a run is not ok has its line and exit code 1, and an ok one has neither.
# Usage: sanitize_gpu_test.sh <sanitize_gpu.sh> <folder to work in>
set -euo pipefail
rm -rf "$2"
mkdir -p "$2/bin" "$2/programs/tests"
# Says what the environment's FOUND says for the program in BREAK.
cat >"$2/bin/compute-sanitizer" <<'END'
#!/bin/bash
tool=$2
case "$*" in
  *"${BREAK:-nothing}"*)
    case $FOUND in
      errors) echo "========= ERROR SUMMARY: 3 errors"; exit 99 ;;
      hazards) echo "========= RACECHECK SUMMARY: 1 hazard displayed (0 errors, 1 warning)"; exit 99 ;;
      hangs) sleep 20 ;;
      crash) exit 139 ;;
      fails) echo "========= ERROR SUMMARY: 0 errors"; exit 1 ;;
      skips) echo "Skipped: no usable GPU on this machine" ;;
      internal) echo "========= Internal Sanitizer Error: no" ;;
    esac ;;
esac
[[ $WORKSHOP_SANITIZER == "$tool" ]] || exit 1
if [[ $tool == racecheck ]]; then
  echo "========= RACECHECK SUMMARY: 0 hazards displayed (0 errors, 0 warnings)"
else
  echo "========= ERROR SUMMARY: 0 errors"
fi
END
cp "$2/bin/compute-sanitizer" "$2/programs/tests/some_test"
cp "$2/bin/compute-sanitizer" "$2/programs/tests/other_test"
chmod +x "$2/bin/compute-sanitizer" "$2"/programs/tests/*
expect() { # the exit code, the words, and then the script's arguments
  local code=0 out
  out=$(PROGRAMS=$work/programs LOGS=$work/logs PATH="$work/bin:$PATH" \
    bash "$script" "${@:3}" 2>&1) || code=$?
  [[ $code == "$1" && $out == *"$2"* ]] || { echo "exit code $code instead of $1: $out"; exit 1; }
}
script=$1 work=$2
expect 0 "4 of 4 runs ok" some_test
expect 0 "3 of 3 runs ok" 1-2 racecheck\ tests/some_test
expect 0 "1 memcheck tests/other_test" -l
for found in "errors:3 errors" "hazards:1 errors" "hangs:did not end in 1 s" \
  "crash:no summary, exit code 139" "fails:the program failed, exit code 1" "skips:no usable GPU" \
  "internal:the tool failed"; do
  FOUND=${found%%:*} BREAK="initcheck --print-limit 5 --error-exitcode 99 $work/programs/tests/some" \
    expect 1 "${found#*:}" -t 1 initcheck\ tests
done
FOUND=errors BREAK=some_test expect 1 "4 of 8 runs ok" -j 4 tests
expect 2 "no run is called nonsense" nonsense
expect 2 "'0': expected a number" -j 0
expect 2 "usage: " -x
expect 0 "8 of 8 runs ok" tests
rm "$2"/programs/tests/*
expect 3 "build the gpu tests first"
