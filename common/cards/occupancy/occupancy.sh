#!/usr/bin/env bash
# What every kernel of lessons 02 to 09 takes on GPUs of seven compute capabilities, by the compiler:
# registers per thread, and the blocks of 256, 512 and 1,024 threads that a multiprocessor holds at
# once. Needs nvcc, and no GPU. Writes kernel,metric,value to standard output. Run from
# the repository's root:
#     common/cards/occupancy/occupancy.sh > common/cards/occupancy/occupancy.csv
# The limits are those of the CUDA C++ Programming Guide's table of compute capabilities: threads,
# blocks and KiB of shared memory of a multiprocessor. Each has 65,536 registers, a quarter for each
# of its four schedulers, given to a warp in pieces of 256.
set -euo pipefail
folder=$(dirname "$0")
echo "# $(nvcc --version | grep release)"
echo "# Made by: common/cards/occupancy/occupancy.sh"
echo "kernel,metric,value"
while read -r capability threads blocks shared; do
  nvcc -std=c++20 -O3 -arch="sm_$capability" -I common -cubin -o /dev/null -Xptxas -v \
      "$folder/all_kernels.cu" 2>&1 | c++filt |
    awk -v capability="$capability" -v threads="$threads" -v blocks="$blocks" -v kib="$shared" '
      function least(a, b) { return a < b ? a : b }
      # Blocks of so many threads that fit by their threads, registers and shared memory.
      function fit(size,   perWarp, byRegisters, most) {
        if (size > limit) return 0
        perWarp = int((registers * 32 + 255) / 256) * 256
        byRegisters = int(int(16384 / perWarp) * 4 / (size / 32))
        most = least(least(blocks, int(threads / size)), byRegisters)
        return least(most, int(kib * 1024 / (shared + 1024)))
      }
      /Compiling entry function/ {
        kernel = $0; gsub(/.*function .|. for .sm_[0-9]+./, "", kernel); sub(/^void /, "", kernel)
        if (kernel !~ /^cub::/) {
          sub(/[(](double|int|long|float|unsigned|Rows)[ *,].*/, "", kernel)
          gsub(/[(][a-z]+[)]/, "", kernel); gsub(/, */, " ", kernel)
          gsub(/ +>/, ">", kernel)
          while (match(kernel, /[0-9]u/)) kernel = substr(kernel, 1, RSTART) substr(kernel, RSTART + 2)
        }
      }
      /Used [0-9]+ registers/ && kernel !~ /^cub::/ {
        match($0, /Used [0-9]+/); registers = substr($0, RSTART + 5, RLENGTH - 5)
        shared = match($0, /[0-9]+ bytes smem/) ? substr($0, RSTART, RLENGTH) + 0 : 0
        limit = 1024
        if (kernel ~ /^(gridSync|total|rowsByBlocks|bulkCopy|rowMeans|unroll8Cub|completeUnroll)/)
          limit = 512
        if (kernel ~ /^(productTiles|exactSum|rowsByLanes)/) limit = 256
        if (kernel ~ /^productTensor/) limit = 128
        if (kernel ~ /^bulkCopy/) shared += 98304
        print kernel ",registers " capability "," registers
        for (size = 128; size <= 1024; size *= 2)
          print kernel ",blocks of " size " " capability "," fit(size)
      }'
done <<'END'
75 1024 16 64
80 2048 32 164
86 1536 16 100
89 1536 24 100
90 2048 32 228
100 2048 32 228
120 1536 24 100
END
