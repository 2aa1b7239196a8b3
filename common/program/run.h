// What every measuring program does around its measurement: describe the machine, say what is run,
// print what was found, and say on stderr what was wrong.
#pragma once

#include "cuda/backend.h"
#include "measure/device_stopwatch.h"
#include "program/options.h"
#include "report/report.h"

// Chooses the device and describes it, and how the program was called. For a result file a GPU's
// roof is measured, too. Throws Error.
Report startReport(const Options& options, const std::string& program);

// How the options want samples to be taken, and the stopwatch that takes them on this machine.
Sampling samplingOf(const Options& options);
DeviceStopwatch stopwatchFor(const Options& options, const Report& report);

#ifndef GPU_BACKEND
// The executor as the options want it.
simt::Settings executorSettings(const Options& options);
#endif

// The line on the machine, and the lines before a table of a sum: machine, n, block, samples.
void printMachine(const Report& report);
void printHeader(const Report& report);

// Times on a GPU, counts on the executor; perBlock: as many elements in each step's blocks, so that
// counts per block say something.
void printReport(const Report& report, const Options& options, bool perBlock = true);
