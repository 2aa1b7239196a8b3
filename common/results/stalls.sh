#!/usr/bin/env bash
# What the profiler says that warps wait for: writes NAME_stalls.csv's rows to standard output, of
# each kernel's first launch. Run from the repository's root, with a GPU and Nsight Compute:
#     common/results/stalls.sh build/gpu > common/results/h100_stalls.csv
set -euo pipefail
programs=${1:?usage: stalls.sh build/gpu}
metrics=gpu__time_duration.sum,launch__registers_per_thread,smsp__inst_executed.sum
for state in barrier branch_resolving dispatch_stall drain imc_miss lg_throttle long_scoreboard \
  math_pipe_throttle membar mio_throttle misc no_instruction not_selected selected \
  short_scoreboard sleeping tex_throttle wait; do
  metrics+=,smsp__average_warps_issue_stalled_${state}_per_issue_active.ratio
done
echo "# What the profiler says that warps waited for: warps in each state per instruction that was issued."
echo "# GPU: $(nvidia-smi --query-gpu=name --format=csv,noheader | head -1)," \
  "driver $(nvidia-smi --query-gpu=driver_version --format=csv,noheader | head -1); Nsight Compute," \
  "--clock-control none, first launch of each kernel."
echo "# Made by: common/results/stalls.sh build/gpu: ladder --n 2^24 --block 512, public_kernels" \
  "--n 2^24, 09_mean_matvec --rows 512 --cols 512 --batch 264."
echo "kernel,block,blocks,metric,value"
while read -r program arguments; do
  # shellcheck disable=SC2086  # the arguments are words
  ncu --clock-control none --csv --print-units base --metrics "$metrics" \
    --kernel-name-base demangled \
    --kernel-name 'regex:^(?!.*(cub|cutlass|gemm|gemv|readEverything|waitFor|discard))' \
    "$programs/$program" $arguments --samples 1 |
    awk '
      /^"ID"/ { header = 1; split(substr($0, 2, length($0) - 2), names, "\",\"")
                for (i in names) column[names[i]] = i; next }
      header && /^"[0-9]/ {
        split(substr($0, 2, length($0) - 2), f, "\",\"")
        kernel = f[column["Kernel Name"]]; sub(/^void /, "", kernel)
        gsub(/[(](int|unsigned int|unsigned long|bool)[)]/, "", kernel)
        sub(/[(].*/, "", kernel); gsub(/, */, " ", kernel)
        split(f[column["Grid Size"]], grid, /[(,)]/)
        split(f[column["Block Size"]], block, /[(,)]/)
        blocks = grid[2] * grid[3] * grid[4]; threads = block[2] * block[3] * block[4]
        metric = f[column["Metric Name"]]; value = f[column["Metric Value"]]; gsub(/,/, "", value)
        gsub(/smsp__average_warps_issue_|_per_issue_active.ratio/, "", metric)
        if (value + 0 > 0 && !seen[kernel, metric]++)
          print kernel "," threads "," blocks "," metric "," value }'
done <<'END_OF_PROGRAMS'
ladder --n 2^24 --block 512
public_kernels --n 2^24
09_mean_matvec --rows 512 --cols 512 --batch 264
END_OF_PROGRAMS
