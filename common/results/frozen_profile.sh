#!/usr/bin/env bash
# What the profiler counts of the frozen set (common/estimate/frozen) or of the development set, a
# line for each launch. Run from the repository's root, with a GPU and Nsight Compute:
#     common/results/frozen_profile.sh build/gpu > common/results/h200_frozen_profile.csv
#     common/results/frozen_profile.sh build/gpu development > FILE
set -euo pipefail
programs=${1:?usage: frozen_profile.sh build/gpu [development]}
set=${2:-frozen}
counts=launch__registers_per_thread,smsp__inst_executed.sum
for count in requests_pipe_lsu_mem_global_op_ld sectors_pipe_lsu_mem_global_op_ld \
  sectors_pipe_lsu_mem_global_op_st; do
  counts+=,l1tex__t_$count.sum
done
metrics=$counts
for state in barrier branch_resolving dispatch_stall drain imc_miss lg_throttle long_scoreboard \
  math_pipe_throttle membar mio_throttle misc no_instruction not_selected selected \
  short_scoreboard sleeping tex_throttle wait; do
  metrics+=,smsp__average_warps_issue_stalled_${state}_per_issue_active.ratio
done
echo "# What the profiler counts of the $set set; waits: warps in each state per instruction issued."
echo "# GPU: $(nvidia-smi --query-gpu=name --format=csv,noheader | head -1)," \
  "driver $(nvidia-smi --query-gpu=driver_version --format=csv,noheader | head -1); Nsight Compute" \
  "--clock-control none, $(date -u +%FT%TZ)."
echo "# Made by: common/results/frozen_profile.sh build/gpu $set: ${set}_kernels --once"
echo "launch;kernel;registers;instructions;load requests;load sectors;store sectors;waits"
ncu --clock-control none --csv --print-units base --metrics "$metrics" \
  --kernel-name-base mangled --kernel-name regex:"$set" --print-kernel-base function \
  "$programs/${set}_kernels" --once |
  awk -v counts="$counts" '
    /^launch / { names[launches++] = substr($0, 8); next }
    /^"ID"/ { header = 1; split(substr($0, 2, length($0) - 2), heads, "\",\"")
              for (i in heads) column[heads[i]] = i; next }
    header && /^"[0-9]/ {
      split(substr($0, 2, length($0) - 2), f, "\",\"")
      id = f[column["ID"]]; kernels[id] = f[column["Kernel Name"]]
      metric = f[column["Metric Name"]]; value = f[column["Metric Value"]]; gsub(/,/, "", value)
      if (metric !~ /stalled/) { count[id, metric] = value; next }
      gsub(/smsp__average_warps_issue_stalled_|_per_issue_active.ratio/, "", metric)
      if (value >= 0.01)
        waits[id] = waits[id] (waits[id] ? "," : "") metric " " sprintf("%.2f", value) }
    END {
      many = split(counts, order, ",")
      for (id = 0; id < launches; ++id) {
        line = names[id] ";" kernels[id]
        for (i = 1; i <= many; ++i) line = line ";" count[id, order[i]]
        print line ";" waits[id] } }'
