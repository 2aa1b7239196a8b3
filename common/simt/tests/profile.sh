#!/usr/bin/env bash
# What Nsight Compute counts for the kernels of the ladder: writes profile.csv's rows to standard
# output, one for each kernel, block size and metric. Run from the repository's root, with a GPU:
#     common/simt/tests/profile.sh build/gpu/ladder > common/simt/tests/profile.csv
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
cat <<'END'
# What Nsight Compute counts for the kernels of the ladder, against which the executor is tested.
# Global requests and sectors are the same to the last one. Two figures are not, and why:
# - Bank conflicts carry noise of arbitration: up to some 3 per block on loads and 1 on stores, also
#   where the addresses allow none.
# - Divergent branches: the profiler counts those of the machine code. Where the compiler turns a
#   branch into a predicate, no lane branches: so it is with the last "if (t == 0)" of every kernel,
#   with the whole tree of the shared-memory kernels, and with all of lesson 08's kernels but for
#   their loops. The executor counts what the source says.
END
echo "# GPU: $(nvidia-smi --query-gpu=name --format=csv,noheader | head -1)," \
     "driver $(nvidia-smi --query-gpu=driver_version --format=csv,noheader | head -1)"
echo "# $(ncu --version | tail -1)"
echo "# Made by: common/simt/tests/profile.sh build/gpu/ladder $n"
echo "kernel,block,blocks,metric,value"
for block in 256 512; do
  ncu --clock-control none --csv --metrics "$list" --kernel-name-base demangled \
      --kernel-name 'regex:^(?!.*(cub|readEverything|waitFor|discard))' "$ladder" --n "$n" --samples 1 --block "$block" |
    awk -v block="$block" '
      /^"ID"/ { header = 1; split(substr($0, 2, length($0) - 2), names, "\",\"")
                for (i in names) column[names[i]] = i; next }
      header && /^"[0-9]/ {
        split(substr($0, 2, length($0) - 2), f, "\",\"")
        kernel = f[column["Kernel Name"]]; sub(/^void /, "", kernel); sub(/[<(].*/, "", kernel)
        metric = f[column["Metric Name"]]; value = f[column["Metric Value"]]
        grid = f[column["Grid Size"]]; gsub(/[(,].*|^\(/, "", grid)
        split(f[column["Grid Size"]], g, /[(,]/); gsub(/,/, "", value)
        if (!seen[kernel, metric]++) print kernel "," block "," g[2] "," metric "," value }'
done
