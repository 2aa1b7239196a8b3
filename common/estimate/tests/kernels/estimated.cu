// What the kernels would take on a card, beside what they took on it.
#include "base/format.h"

#include <cmath>
#include <iostream>

#include "base/program_main.h"
#include "base/table.h"
#include "estimate/launch_time.h"
#include "estimate/sampled.h"
#include "launches.h"
#include "report/result_file.h"

int main(int argc, char** argv) {
  return runProgram("estimated_kernels", [&] {
    using namespace estimate;
    const Card card = findCard(argc > 1 ? argv[1] : "h200");
    const Report recorded = readResult(argc > 2 ? argv[2] : RECORDED_KERNELS);
    const size_t n = recorded.n;
    Table table;
    table.add({"kernel", "estimated ms", "measured ms", "error", "instructions", "waits"});
    Sampler sampler(unsigned(card.multiprocessors));
    Arrays arrays(n, 1, false);
    const std::vector<Task> tasks = publicKernels(arrays, n);
    for (const Task& task : tasks) sampler.run(task.run);
    const SampledLaunches all = sampler.take();
    double sum = 0;
    for (size_t i = 0; i < all.launches.size(); ++i) {
      const Estimate e = estimateLaunch(all.launches[i], card);
      const StepResult* step = recorded.find(tasks[i].step.name);
      const double ms = spreadOf(step->kernelMs).median;
      sum += std::abs(e.ms / ms - 1);
      std::string waits;
      for (size_t w = 0; w < waitCount; ++w)
        if (e.shares[w] > 0.05)
          waits += fmt::format("{} {:.0f} %, ", waitName(Wait(w)), 100 * e.shares[w]);
      table.add({tasks[i].step.name, fixed(e.ms, 4), fixed(ms, 4),
                 fmt::format("{:+.1f} %", 100 * (e.ms / ms - 1)), fixed(e.instructions / 1e6, 2),
                 waits});
    }
    table.print();
    std::cout << fmt::format("mean {:.1f} %\n", 100 * sum / double(all.launches.size()));
    return 0;
  });
}
