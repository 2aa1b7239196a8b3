#!/usr/bin/env bash
# record.sh with programs and a driver that only look like some: it goes on where it was cut off,
# notes what the card was like, and refuses a card that is in use.
# Usage: record_test.sh <record.sh> <folder to work in>
set -euo pipefail
rm -rf "$2"
mkdir -p "$2/bin" "$2/programs" "$2/results"
cat >"$2/bin/nvidia-smi" <<'END'
#!/bin/sh
case "$*" in
  *--list-gpus*) for gpu in ${GPUS:-0}; do echo "GPU $gpu: A card (UUID: GPU-1)"; done ;;
  *query-compute-apps*) printf '%s' "${OTHERS:-}" ;;
  *query-gpu=name\ *) echo "A card" ;;
  *) echo "A card, 1.2, 1980, 3201, 350.5, 44" ;;
esac
END
cat >"$2/programs/ladder" <<'END'
#!/bin/sh
for last; do :; done
echo "$*" >"$last"
echo "a table"
case "$*" in *"${BREAK_AT:-never}"*) exit 1 ;; esac
END
for program in 02_neighbored 03_neighbored_less 04_interleaved 05_unroll2 08_shuffle 09_mean_matvec \
  matrix_sum variants launches bf16_rows reductions public_kernels frozen_kernels development_kernels; do
  cp "$2/programs/ladder" "$2/programs/$program"
done
chmod +x "$2/bin/nvidia-smi" "$2"/programs/*
record() {
  PATH="$2/bin:$PATH" PROGRAMS=$2/programs RESULTS=$2/results bash "$1" "${@:3}" 2>&1
}
expect() { # the exit code, the words, and then record's arguments
  local code=0 out
  out=$(record "${@:3}") || code=$?
  [[ $code == "$1" && $out == *"$2"* ]] || { echo "exit code $code: $out"; exit 1; }
}
expect 2 "usage: common/results/record.sh NAME" "$1" "$2"
expect 2 "usage: common/results/record.sh NAME" "$1" "$2" ../x
OTHERS="123, trainer" expect 3 "GPU 0 is in use: 123, trainer" "$1" "$2" card
BREAK_AT=--sweep expect 1 "08_shuffle --sweep failed" "$1" "$2" card
[[ $(cat "$2/results/card_segments.json") == *"--segments --device 0 --json"* ]]
[[ $(cat "$2/results/card_floats.txt") == "a table" ]]
[[ ! -e $2/results/card_sweep.json ]] || { echo "the file of a failed program stays"; exit 1; }
echo "as it was" >"$2/results/card_segments.json"
expect 0 "is there: $2/results/card_segments.json" "$1" "$2" card
[[ $(cat "$2/results/card_segments.json") == "as it was" ]]
rows=$(grep -c ',A card,1.2,1980,3201,350.5,44$' "$2/results/card_conditions.csv")
[[ $rows == $(ls "$2"/results/*.json | wc -l) ]] || { echo "$rows rows"; exit 1; }
[[ ! -e $2/results/card_several_gpus.json ]] || { echo "several GPUs of one"; exit 1; }
GPUS="0 1 2" expect 0 "08_shuffle --gpus all" "$1" "$2" card
[[ $(cat "$2/results/card_several_gpus.json") == "--gpus all --json "* ]]
rm "$2/results/card_several_gpus.json"
CCCL=$2/programs expect 0 "08_shuffle --sweep" "$1" "$2" card
[[ $(cat "$2/results/card_sweep_cccl.json") == "--sweep --device 0 --json "* ]]
GPUS="0 1" COMMIT=0123abc expect 0 "08_shuffle --gpus all" "$1" "$2" card
[[ $(tail -n 1 "$2/results/card_conditions.csv") == several_gpus,*,0123abc,A\ card,* ]]
COMMIT='a,b' expect 2 "COMMIT: expected" "$1" "$2" card
