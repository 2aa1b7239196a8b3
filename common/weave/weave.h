// Fills the marked places of a page from the sources, the recorded results and the programs. A mark
// in README.md has a name, and page.weave beside it says what belongs there. A page has no comments
// but marks.
//
// clang-format off
//
// In README.md, a block stands between two lines of their own, a figure in a sentence:
//
//     <!-- weave: kernel -->
//     what belongs here
//     <!-- end weave -->
//     It is <!--=speedup-->1.87<!--/--> times as fast.
//
// In page.weave, # begins a comment line, and a \ at the end of a line joins it with the next, without
// the blanks in front of that. First short names, for files and for metrics of the profiler:
//
//     result  h200         = common/results/h200_ladder.json
//     profile ncu          = common/simt/tests/profile.csv
//     metric  instructions = smsp__inst_executed.sum
//     estimates est        = common/results/h200_estimated.csv
//
// Then the marks, one recipe each. Code of a source, all of a function or struct or a part of it,
// with so many blanks less in front of each line; and how the body of one function differs from another's:
//
//     code kernel = 02_neighbored/neighbored.cuh neighbored
//     code loop   = 02_neighbored/neighbored.cuh neighbored from "for (" before "if (t == 0)" less 2
//     diff change = 02_neighbored/neighbored.cuh neighbored 03_neighbored_less/neighbored_less.cuh neighboredLess
//
// What a cpu program prints, as it is or as part of the page, the lines of it that begin so, a link to
// a file of it where it is a long table, what it draws with --svg, a link to the page that it writes
// with --explore, and the ladder of a result as a picture beside it:
//
//     output  run   = build/cpu/08_shuffle
//     markdown waits = build/cpu/estimate_table waits
//     excerpt lanes = "lane  " "__shfl_sync 0 " : build/cpu/08_shuffle --demo
//     sheet   errors = errors.csv "How far off each is" build/cpu/estimate_table errors
//     drawing block = shuffle.svg "What one block of 64 threads does" build/cpu/08_shuffle
//     explored steps = explore.html "Step through it in your browser" build/cpu/08_shuffle
//     picture bars  = h200 "The ladder on an NVIDIA H200"
//
// A link to the address that stands in a file, and nothing while that is empty:
//
//     link site = common/site/address "Read it in your browser"
//
// Tables of times, of some steps or of all, without or with what was estimated; and of counts, by
// the executor / by the profiler:
//
//     times  measured = h200; neighbored; neighbored less; cub::DeviceReduce::Sum
//     times  both     = h200, est; neighbored; neighbored less; cub::DeviceReduce::Sum
//     counts counted  = cpu; ncu; per block; neighbored=neighbored; neighbored less=neighboredLess
//
// A figure, and formulas that several recipes share. Behind % stands how it is shown: .2f so many
// digits, "," with separators of thousands, ms as times are, otherwise as short as it can be:
//
//     formula faster(from; to) = ms(h200; $from) / ms(h200; $to) % .2f
//     figure  speedup          = faster(neighbored; neighbored less)
//     figure  saved            = 100 - 100 / faster(neighbored; neighbored less) % .0f
//
// A table row by row. {…} is a figure; a row with a name behind $ is repeated for each of its
// values, and so is what stands between [[ and ]] within its row:
//
//     table kernels
//       each step=kernel: neighbored=neighbored; neighbored less=neighboredLess
//       |                        |[[ $step |]]
//       |---                     |[[---|]]
//       | ms                     |[[ {ms(h200; $step) % ms} |]]
//       | registers per thread   |[[ {prof(ncu; $kernel; launch__registers_per_thread; 512)} |]]
//
// A roofline as a picture, from rows like those of a table: the bandwidth in GB/s and the ceiling in
// GFLOP/s, then points by operations for each byte and GFLOP/s:
//
//     roofline drawn = roofline.svg "The roofline of an NVIDIA H200"
//       each step: v1; v2
//       | bandwidth | {peakgbps(h200)} | 4814 GB/s |
//       | ceiling | 67000 | 67 TFLOP/s |
//       | $step | {perByte($step)} | {gflops($step)} |
//
// Functions of a step, RESULT; STEP, then n or a cache state where names repeat:
//     ms, min, max, answer      milliseconds: the median, the least, the most, the median answer
//     gbps, peak                GB/s, and percent of the card's peak
//     blocks, n                 blocks of the launch, elements
//     spread, spreadus          texts: the median with its spread, in ms or in microseconds
//     count(RESULT; STEP; COUNTER)                of the executor, for the whole launch
//     gpus                      how many worked on it
//     part(RESULT; STEP; PART; N)                 milliseconds of a part: GPU 0, GPU 1 … or NCCL
//     geomean(RESULT; STEP; OTHER; CACHE; FROM; BELOW)    how much longer STEP takes, over all n or
//                                                 those from FROM on and below BELOW
// of a profile; a metric is a short name, the name or title of a counter, or the profiler's own:
//     prof(PROFILE; KERNEL; METRIC; BLOCK)        and profblocks(PROFILE; KERNEL; BLOCK)
// of estimates, where WHERE may be left out if the group has the step once:
//     estimate, estimateInstructions(ESTIMATES; GROUP; STEP; WHERE)    milliseconds, and instructions
//     estimateError, estimateWorst(ESTIMATES; GROUP; WHERE)    how far off those are that were
//                                                 measured, there or anywhere: the mean and the
//                                                 most, in percent without sign
// of a card that the timing model knows, a file of common/cards:
//     card(CARD; VALUE)         a value in the unit that the file gives
// and of a result:
//     samples, peakgbps, roofgbps; machine, identity, driver, cuda, size (texts)
//
// clang-format on
#pragma once

#include <map>
#include <string>

#include "weave/lines.h"
#include "weave/repository.h"

// How a table in a file of its own begins.
inline const std::string madeBy = "# Made by ";

struct Woven {
  std::string text;  // the page as it should be
  // Drawings it shows, pages and tables it links: paths from the root, contents.
  std::map<std::string, std::string> files;
};

// Weaves the text of a page, which is at path below the root, with the text of its recipes. What
// cannot be filled is a problem, with path and line; the result is of use only if there is none.
Woven weave(const std::string& text, const std::string& recipes, const std::string& path,
            const Repository& repository, Problems& problems);
