#!/usr/bin/env bash
# Every gpu test and every program at small sizes under compute-sanitizer's memcheck, racecheck,
# initcheck and synccheck. Needs a GPU, compute-sanitizer and the built programs, no compiler:
#     common/whole_tests/sanitize_gpu.sh                        all runs
#     common/whole_tests/sanitize_gpu.sh -l                     lists them, numbered
#     common/whole_tests/sanitize_gpu.sh 1-40 racecheck floats  those of these numbers, and those
#                                                               with one of the words in their line
#     -j N   so many at a time (default 1)      -t N   seconds for each (default 60)
# PROGRAMS=folder and LOGS=folder name others than build/gpu and ./sanitize_gpu, where each run's
# output stays. A line for each: ok, what was found, that the program failed, or that it did not
# end in its time.
# Exit codes: 0 all ok, 1 one is not, 2 bad usage, 3 no compute-sanitizer, or no gpu programs.
set -uo pipefail

fail() {
  echo "sanitize_gpu.sh: $2" >&2
  exit "$1"
}

programs=${PROGRAMS:-build/gpu} logs=${LOGS:-sanitize_gpu}
jobs=1 seconds=60 list=
while getopts lj:t: option; do
  case $option in
    l) list=1 ;;
    j) jobs=$OPTARG ;;
    t) seconds=$OPTARG ;;
    *) fail 2 "usage: common/whole_tests/sanitize_gpu.sh [-l] [-j N] [-t N] [NUMBER | FROM-TO | WORD]..." ;;
  esac
done
shift $((OPTIND - 1))
for number in "$jobs" "$seconds"; do
  [[ $number =~ ^[1-9][0-9]{0,3}$ ]] || fail 2 "'$number': expected a number from 1 to 9999"
done

# The programs; a test's name stands for itself. Left out: card, whose loops cannot be made short,
# and verdicts, whose kernels are wrong on purpose.
commands=()
for test in "$programs"/tests/*_test; do
  [[ -x $test ]] && commands+=("tests/$(basename "$test") --gtest_brief=1")
done
((${#commands[@]})) || fail 3 "$programs/tests: build the gpu tests first"
for n in 100003 511 33 1 0; do
  commands+=("ladder --n $n --block 128 --samples 1")
  commands+=("08_shuffle --n $n --samples 1")
done
for lesson in 02_neighbored 03_neighbored_less 04_interleaved 05_unroll2 06_unroll8_warp \
  07_complete_unroll variants; do
  commands+=("$lesson --n 20011 --samples 1")
done
commands+=(
  "08_shuffle --demo"
  "08_shuffle --segments --n 20011 --samples 1"
  "08_shuffle --operators --n 20011 --samples 1"
  "08_shuffle --floats --n 20011 --samples 1"
  "08_shuffle --sweep --n 2^14 --samples 1"
  "launches --n 20011 --samples 1"
  "public_kernels --n 2^15 --samples 1"
  "frozen_kernels --n 2^14 --samples 1"
  "09_mean_matvec --rows 33 --cols 40 --batch 5 --samples 1"
  "09_mean_matvec --rows 1 --cols 1 --batch 1 --samples 1"
  "bf16_rows --rows 3 --cols 20011 --samples 1"
  "matrix_sum --rows 100 --cols 77 --samples 1"
  "reductions --rows 100 --cols 77 --samples 1"
)

# The runs that the arguments choose: a tool and a command.
runs=()
chosen() { # number, line
  local word
  for word in "${words[@]}"; do
    if [[ $word =~ ^([0-9]+)(-([0-9]+))?$ ]]; then
      (($1 >= BASH_REMATCH[1] && $1 <= ${BASH_REMATCH[3]:-${BASH_REMATCH[1]}})) && return 0
    elif [[ $2 == *"$word"* ]]; then
      return 0
    fi
  done
  ((${#words[@]} == 0))
}
words=("$@") number=0
for tool in memcheck racecheck initcheck synccheck; do
  for command in "${commands[@]}"; do
    number=$((number + 1))
    chosen $number "$tool $command" || continue
    runs+=("$number $tool $command")
  done
done
((${#runs[@]})) || fail 2 "no run is called ${words[*]}; -l lists all"
if [[ $list ]]; then
  printf '%s\n' "${runs[@]}"
  exit 0
fi
command -v compute-sanitizer > /dev/null || fail 3 "no compute-sanitizer: it is part of CUDA"
mkdir -p "$logs" || fail 2 "$logs: cannot be made"

# Prints the run's line. Leaves a file .bad beside the log of one that is not ok.
check() { # number, tool, program, arguments
  local log code=0 found verdict start=$SECONDS options=()
  log=$logs/$(printf '%03d' "$1")_$2.txt
  rm -f "$log.bad"
  # NCCL asks for what may be enabled already, and for kernels that its library may not hold.
  [[ $2 != memcheck || $3 != *several_gpus* ]] || options=(--report-api-errors no)
  WORKSHOP_SANITIZER=$2 timeout -k 5 "$seconds" compute-sanitizer --tool "$2" --print-limit 5 \
    --error-exitcode 99 "${options[@]}" "$programs/$3" "${@:4}" > "$log" 2>&1 < /dev/null || code=$?
  found=$(sed -n 's/^=* *\(RACECHECK\|ERROR\) SUMMARY: \([0-9]*\) .*/\2/p' "$log" | tail -n 1)
  if ((code == 124 || code == 137)); then
    verdict="did not end in $seconds s"
  elif grep -q "no usable GPU" "$log"; then
    verdict="no usable GPU"
  elif grep -q "Internal Sanitizer Error" "$log"; then
    verdict="the tool failed"
  elif [[ -z $found ]]; then
    verdict="no summary, exit code $code"
  elif ((found > 0)); then
    verdict="$found errors"
  elif ((code != 0)); then
    verdict="the program failed, exit code $code"
  else
    verdict=ok
  fi
  [[ $verdict == ok ]] || touch "$log.bad"
  printf '%3d  %-9s  %-58s %s, %d s\n' "$1" "$2" "${*:3}" "$verdict" $((SECONDS - start))
}

rm -f "$logs"/*.bad
for run in "${runs[@]}"; do
  while (($(jobs -pr | wc -l) >= jobs)); do wait -n; done
  # shellcheck disable=SC2086  # a command's arguments are words
  check $run &
done
wait
bad=$(find "$logs" -name '*.bad' | wc -l)
echo "$((${#runs[@]} - bad)) of ${#runs[@]} runs ok; output in $logs"
((bad == 0))
