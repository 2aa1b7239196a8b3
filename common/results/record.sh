#!/usr/bin/env bash
# Records what the pages show of a card: runs every program of build/gpu that has a record and leaves
# common/results/NAME_*.json and, for each, a line in NAME_conditions.csv: the commit, the clocks, the
# power and the temperature. Run from the repository's root, on a machine whose GPU has nothing else
# to do:
#     common/results/record.sh h100
# Cut off, it goes on where it was when it is called again. To record a file anew, remove it.
# PROGRAMS=folder, RESULTS=folder and GPU=number name others than build/gpu, common/results and 0;
# COMMIT=text the commit, where the repository is a copy without its history.
# CCCL=folder names the programs of a build with -DWORKSHOP_CCCL, a checkout of NVIDIA/cccl: floats,
# launches, bf16_rows and reductions are then compared with its CUB, and so are shuffle and sweep once
# more.
# Exit codes: 0 all recorded, 1 a program failed, 2 bad usage, 3 no usable GPU.
set -uo pipefail

fail() {
  echo "record.sh: $2" >&2
  exit "$1"
}

name=${1:-}
[[ $# == 1 && $name =~ ^[a-z0-9_]+$ ]] || fail 2 "usage: common/results/record.sh NAME, of a-z, 0-9 and _"
programs=${PROGRAMS:-build/gpu} results=${RESULTS:-common/results} gpu=${GPU:-0}
[[ $gpu =~ ^[0-9]+$ ]] || fail 2 "GPU=$gpu: expected the number of a GPU"
[[ -d $results ]] || fail 2 "$results: run it from the repository's root"
[[ -x $programs/ladder ]] || fail 2 "$programs/ladder: build the gpu programs first"
command -v nvidia-smi > /dev/null || fail 3 "no nvidia-smi: is there a driver?"
conditions=$results/${name}_conditions.csv

# The record's name behind the card's, and the command without --json.
records="
ladder                   ladder
ladder_block_128         ladder --n 2^28 --block 128 --samples 10
ladder_block_256         ladder --block 256
ladder_block_1024        ladder --block 1024
$(for n in 20 24; do
  for block in 128 256 512 1024; do
    echo "ladder_2e${n}_block_$block ladder --n 2^$n --block $block --samples 10"
  done
done)
segments                 08_shuffle --segments
operators                08_shuffle --operators
floats                   08_shuffle --floats
sweep                    08_shuffle --sweep
variants                 variants
exercise_02              02_neighbored --exercise
exercise_03              03_neighbored_less --exercise
exercise_04              04_interleaved --exercise
exercise_05              05_unroll2 --exercise
shuffle                  08_shuffle
shuffle_2e30             08_shuffle --n 2^30
mean_matvec              09_mean_matvec
mean_matvec_384          09_mean_matvec --rows 384 --cols 1000 --batch 333
mean_matvec_1024         09_mean_matvec --rows 1024 --cols 64 --batch 4096
launches                 launches
matrix_sum               matrix_sum
matrix_sum_5000          matrix_sum --rows 5000 --cols 3001
bf16_rows                bf16_rows
reductions               reductions
reductions_tall          reductions --rows 1048576 --cols 256
reductions_wide          reductions --rows 256 --cols 1048576
public_kernels           public_kernels
frozen                   frozen_kernels --samples 15
development              development_kernels --samples 15
"
[[ -z ${CCCL:-} ]] || records+="shuffle_cccl        08_shuffle
sweep_cccl          08_shuffle --sweep
"
gpus=$(nvidia-smi --list-gpus | grep -c '^GPU ')
# All GPUs of the machine, where it has several.
((gpus < 2)) || records+="several_gpus        08_shuffle --gpus all
several_gpus_matvec 09_mean_matvec --gpus all
"

ask() { nvidia-smi --id="$gpu" --query-gpu="$1" --format=csv,noheader,nounits; }

# Another program on the GPU would be in every time.
expect_idle() { # the GPUs, as 0 or 0,1
  local others
  others=$(nvidia-smi --id="$1" --query-compute-apps=pid,process_name --format=csv,noheader) ||
    fail 3 "nvidia-smi knows no GPU $1"
  [[ -z $others ]] || fail 3 "GPU $1 is in use: ${others//$'\n'/; }"
}

commit=${COMMIT:-$(git rev-parse HEAD 2> /dev/null || echo unknown)}
[[ $commit =~ ^[a-zA-Z0-9._\ -]+$ ]] || fail 2 "COMMIT: expected letters, digits, dots and hyphens"
[[ -n ${COMMIT:-} || -z $(git status --porcelain --untracked-files=no 2> /dev/null) ]] || commit+=" and changes"
count=$(grep -c . <<< "$records")
expect_idle "$gpu"
echo "$count records of $(ask name) as $name: about four minutes on an H200"
[[ -s $conditions ]] ||
  echo "record,date,commit,card,driver,sm_mhz,memory_mhz,watts,celsius" > "$conditions"

text=$(mktemp)
trap 'rm -f "$text"' EXIT
number=0 SECONDS=0
while read -r record program arguments; do
  [[ -n $record ]] || continue
  file=$results/${name}_$record.json
  echo "[$((++number)) of $count] $program $arguments"
  if [[ -s $file ]]; then
    echo "    is there: $file"
    continue
  fi
  used=$gpu options=(--device "$gpu" --json "$file")
  [[ $arguments != *--gpus* ]] || used=$(seq -s, 0 $((gpus - 1))) options=(--json "$file")
  expect_idle "$used"
  from=$programs
  [[ ! $record =~ ^(floats|launches|bf16_rows|reductions.*|.*_cccl)$ ]] || from=${CCCL:-$programs}
  # The file of a program that failed may hold what is wrong, and would be taken for a record.
  # shellcheck disable=SC2086  # the arguments are words
  "$from/$program" $arguments "${options[@]}" < /dev/null > "$text" || {
    rm -f "$file"
    fail 1 "$program $arguments failed; what is recorded stays, and a second call goes on from here"
  }
  # What a table says that is in no file: how far off and how different the sums are.
  [[ $record != floats ]] || cp "$text" "$results/${name}_$record.txt"
  # Read at once: the card is still warm, and its clocks are those of the run.
  state=$(ask name,driver_version,clocks.sm,clocks.mem,power.draw,temperature.gpu)
  echo "$record,$(date -u +%FT%TZ),$commit,${state//, /,}" >> "$conditions"
done <<< "$records"
echo "done in $SECONDS s; build/compare $results/${name}_ladder.json shows the ladder"
