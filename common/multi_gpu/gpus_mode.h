// --gpus: what the programs for several GPUs have in common.
#pragma once

#include "multi_gpu/ranks.h"
#include "program/options.h"
#include "report/result_file.h"

using GpusProgram = int (*)(const Options& options, Ranks& ranks);

// The mode --gpus. With several processes the program's device is the one that is for this process,
// and only rank 0 writes a file. ranks has to live as long.
Mode gpusMode(Ranks& ranks, const std::string& help, GpusProgram program,
              std::vector<std::pair<std::string, std::string>> leaveOut = {});

// What was timed or counted of these (scaling.h), and a remark where one GPU is slow.
void printCards(const Report& report, const std::vector<std::string>& whats);

// Ends a program: says whenRight where all is, writes the file, complains where something is wrong.
// Returns the exit code.
int finish(const Report& report, ResultFile& file, const std::string& whenRight);
