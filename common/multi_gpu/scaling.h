// What several GPUs gain over one, as tables.
#pragma once

#include <string>
#include <vector>

#include "report/report.h"

// "1 GPU", "2 GPUs".
std::string gpuCount(unsigned gpus);

// Of each of these the steps named "WHAT on 1 GPU", "WHAT on 2 GPUs" and so on: their times, what
// the GPUs took and what NCCL did, and how many times as fast they are as one GPU, with as many
// elements and, where that was timed, with as many as each of them has.
void printScaling(const Report& report, const std::vector<std::string>& whats);

// The same steps on the executor: what was counted, on all imagined GPUs together.
void printSharedCounts(const Report& report, const std::vector<std::string>& whats);

// One line where a GPU took a fifth longer than another for as large a part of the last step that
// several worked on, or all waited longer than they worked: one is busy or slowed down. Nothing
// else.
std::string slowGpuRemark(const Report& report);
