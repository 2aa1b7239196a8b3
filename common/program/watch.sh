#!/usr/bin/env bash
# common/program/watch.sh PROGRAM [OPTION…]: builds a lesson's program and runs it, again and again: whenever
# a file of the lesson has been saved. Control-C ends it.
#
#     common/program/watch.sh build/cpu/03_neighbored_less --exercise
set -u
if (($# == 0)); then
  echo "usage: common/program/watch.sh PROGRAM [OPTION…], such as" \
    "common/program/watch.sh build/cpu/03_neighbored_less --exercise" >&2
  exit 2
fi
top=$(cd "$(dirname "$0")/../.." && pwd)
program=$1
shift
lesson=$(basename "$program")
backend=$(basename "$(dirname "$program")")
build=$(dirname "$(dirname "$program")")
if [[ ! -d $top/$lesson || ! -f $build/CMakeCache.txt || $backend != [cg]pu ]]; then
  echo "watch.sh: $program is no lesson's program: expected build/cpu/LESSON or build/gpu/LESSON" \
    "after cmake --preset default" >&2
  exit 2
fi

work=$(mktemp -d)
running=
stop() {
  if [[ $running ]]; then
    kill "$running" 2>/dev/null
    wait "$running" 2>/dev/null
    running=
  fi
}
trap 'stop; rm -rf "$work"' EXIT
trap 'exit 130' INT TERM

saved() { [[ $(find "$top/$lesson" -type f -newer "$work/begun" | head -n 1) ]]; }

while :; do
  touch "$work/begun"
  echo "---- $(date +%H:%M:%S) $program $*"
  if cmake --build "$build" --target "${lesson}_$backend" >"$work/log" 2>&1; then
    "$program" "$@" &
    running=$!
  else
    grep -v '^\[\|^ninja: ' "$work/log"
  fi
  until saved; do sleep 0.05; done
  stop
done
