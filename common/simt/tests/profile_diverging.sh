#!/usr/bin/env bash
# What Nsight Compute counts for the kernels of diverging.cuh: writes diverging.csv's rows to standard
# output, one for each kernel and metric. Run from the repository's root, with a GPU:
#     common/simt/tests/profile_diverging.sh build/gpu/diverging_kernels > common/simt/tests/diverging.csv
set -euo pipefail
program=${1:?usage: profile_diverging.sh build/gpu/diverging_kernels}
metrics=(
  l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum
  l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum
  l1tex__t_requests_pipe_lsu_mem_global_op_st.sum
  l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum
  l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum
  l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum
  smsp__inst_executed_op_shared_ld.sum
  smsp__inst_executed_op_shared_st.sum
  smsp__sass_thread_inst_executed_op_memory_pred_on.sum
  smsp__sass_branch_targets_threads_divergent.sum
)
# One run for each: a metric that this version does not know is left out, and said.
echo "# What Nsight Compute counts for the kernels of diverging.cuh."
echo "# GPU: $(nvidia-smi --query-gpu=name --format=csv,noheader | head -1)," \
     "driver $(nvidia-smi --query-gpu=driver_version --format=csv,noheader | head -1)"
echo "# $(ncu --version | tail -1)"
echo "# Made by: common/simt/tests/profile_diverging.sh $program"
echo "kernel,block,blocks,metric,value"
for metric in "${metrics[@]}"; do
  if ! report=$(ncu --clock-control none --csv --metrics "$metric" "$program"); then
    echo "# $metric: not recorded"
    continue
  fi
  awk '
    /^"ID"/ { header = 1; split(substr($0, 2, length($0) - 2), names, "\",\"")
              for (i in names) column[names[i]] = i; next }
    header && /^"[0-9]/ {
      split(substr($0, 2, length($0) - 2), f, "\",\"")
      kernel = f[column["Kernel Name"]]; sub(/^void /, "", kernel); sub(/[<(].*/, "", kernel)
      value = f[column["Metric Value"]]; gsub(/,/, "", value)
      split(f[column["Grid Size"]], g, /[(,]/); split(f[column["Block Size"]], b, /[(,]/)
      print kernel "," b[2] + 0 "," g[2] + 0 "," f[column["Metric Name"]] "," value }' <<< "$report"
done
