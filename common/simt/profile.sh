#!/usr/bin/env bash
# What Nsight Compute counts for the kernels of the ladder: writes profile.csv's rows to standard
# output, one for each kernel, block size and metric. Run from the repository's root, with a GPU:
#     common/simt/profile.sh build/gpu/ladder > common/simt/profile.csv
# Values are totals over the first launch of each kernel. A second argument is n (default 2^20).
set -euo pipefail
ladder=${1:?usage: profile.sh build/gpu/ladder [n]}
n=${2:-2^20}
metrics=(
  l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum
  l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum
  l1tex__t_requests_pipe_lsu_mem_global_op_st.sum
  l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum
  l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum
  l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum
  smsp__sass_branch_targets_threads_divergent.sum
  smsp__inst_executed.sum
  launch__registers_per_thread
  sm__warps_active.avg.pct_of_peak_sustained_active
)
list=$(IFS=,; echo "${metrics[*]}")
echo "# GPU: $(nvidia-smi --query-gpu=name --format=csv,noheader | head -1)," \
     "driver $(nvidia-smi --query-gpu=driver_version --format=csv,noheader | head -1)"
echo "# $(ncu --version | tail -1)"
echo "# Made by: common/simt/profile.sh build/gpu/ladder $n"
echo "kernel,block,blocks,metric,value"
for block in 256 512; do
  ncu --clock-control none --csv --metrics "$list" --kernel-name-base demangled \
      --kernel-name 'regex:^(?!.*cub)' "$ladder" --n "$n" --samples 1 --block "$block" |
    awk -v block="$block" '
      /^"ID"/ { header = 1; split(substr($0, 2, length($0) - 2), names, "\",\"")
                for (i in names) column[names[i]] = i; next }
      header && /^"[0-9]/ {
        split(substr($0, 2, length($0) - 2), f, "\",\"")
        kernel = f[column["Kernel Name"]]; sub(/^void /, "", kernel); sub(/\(.*/, "", kernel)
        metric = f[column["Metric Name"]]; value = f[column["Metric Value"]]
        grid = f[column["Grid Size"]]; gsub(/[(,].*|^\(/, "", grid)
        split(f[column["Grid Size"]], g, /[(,]/); gsub(/,/, "", value)
        if (!seen[kernel, metric]++) print kernel "," block "," g[2] "," metric "," value }'
done
