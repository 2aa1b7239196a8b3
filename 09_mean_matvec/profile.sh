#!/usr/bin/env bash
# What Nsight Compute counts for the kernels of lesson 09: writes kernel,metric,value to standard
# output, of each kernel's first launch. Run from the repository's root, with a GPU:
#     09_mean_matvec/profile.sh build/gpu/09_mean_matvec [--rows L --cols M --batch N]
set -euo pipefail
program=${1:?usage: profile.sh build/gpu/09_mean_matvec [options]}
shift
metrics=(
  l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum
  l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum
  l1tex__t_requests_pipe_lsu_mem_global_op_st.sum
  l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum
  lts__t_bytes.sum
  dram__bytes_read.sum
  dram__bytes_write.sum
  smsp__inst_executed.sum
  launch__registers_per_thread
  launch__grid_size
  sm__warps_active.avg.pct_of_peak_sustained_active
  smsp__average_warps_issue_stalled_barrier_per_issue_active.ratio
  smsp__average_warps_issue_stalled_long_scoreboard_per_issue_active.ratio
)
list=$(IFS=,; echo "${metrics[*]}")
echo "# GPU: $(nvidia-smi --query-gpu=name --format=csv,noheader | head -1)," \
     "driver $(nvidia-smi --query-gpu=driver_version --format=csv,noheader | head -1)"
echo "# $(ncu --version | tail -1)"
echo "# Made by: 09_mean_matvec/profile.sh build/gpu/09_mean_matvec $*"
echo "kernel,metric,value"
ncu --clock-control none --csv --print-units base --metrics "$list" --kernel-name-base demangled \
    --kernel-name 'regex:oneBlock|blockPerEntry|warpPer|rowMeans|product' \
    "$program" "$@" --samples 1 |
  awk '
    /^"ID"/ { header = 1; split(substr($0, 2, length($0) - 2), names, "\",\"")
              for (i in names) column[names[i]] = i; next }
    header && /^"[0-9]/ {
      split(substr($0, 2, length($0) - 2), f, "\",\"")
      kernel = f[column["Kernel Name"]]; sub(/^void /, "", kernel); sub(/[(]const.*/, "", kernel)
      gsub(/[(][a-z ]*[)]/, "", kernel); gsub(/, */, " ", kernel)
      metric = f[column["Metric Name"]]; value = f[column["Metric Value"]]; gsub(/,/, "", value)
      if (!seen[kernel, metric]++) print kernel "," metric "," value }'
