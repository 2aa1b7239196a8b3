#!/usr/bin/env bash
# watch.sh builds and runs again when a file of the lesson is saved, and shows what does not compile.
# Usage: watch_test.sh <watch.sh> <folder to work in>
set -euo pipefail
rm -rf "$2"
mkdir -p "$2"/{common/program,03_lesson,build/cpu,bin}
cp "$1" "$2/common/program/watch.sh"
cd "$2"
touch build/CMakeCache.txt
echo right >03_lesson/exercise.cuh

# A build that fails where the exercise says so, and a program that takes its time.
printf '#!/bin/sh\necho "[1/2] Building"\n! grep "error: " 03_lesson/exercise.cuh\n' >bin/cmake
printf '#!/bin/sh\necho "ran $* on $(cat 03_lesson/exercise.cuh)"\nexec sleep 60\n' >build/cpu/03_lesson
chmod +x bin/cmake build/cpu/03_lesson

if common/program/watch.sh build/cpu/04_other 2>said; then exit 1; fi
grep -q 'is no lesson' said
if common/program/watch.sh 2>said; then exit 1; fi
grep -q '^usage: ' said

PATH="$PWD/bin:$PATH" bash common/program/watch.sh build/cpu/03_lesson --exercise >out 2>&1 &
watch=$!
trap 'kill $watch 2>/dev/null || true' EXIT
await() {
  for ((i = 0; i < 300; i++)); do
    if grep -q "$1" out; then return; fi
    sleep 0.1
  done
  echo "never came: $1" >&2
  cat out >&2
  exit 1
}
await 'ran --exercise on right'
echo better >03_lesson/exercise.cuh
await 'ran --exercise on better'
echo 'exercise.cuh:3: error: expected ;' >03_lesson/exercise.cuh
await 'exercise.cuh:3: error: expected ;'
echo best >03_lesson/exercise.cuh
await 'ran --exercise on best'
if grep -q Building out; then exit 1; fi
kill "$watch"
wait "$watch" && exit 1
exit 0
