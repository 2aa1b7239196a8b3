#include "exercise.cuh"
#include "goals.h"
#include "lesson.h"
#include "versions.h"

#ifdef WORKSHOP_CUBLAS
#include "library.h"
#endif

static const std::string program = "09_mean_matvec";
static const double tolerance = 1e-12;  // of the relative error

// Throws Error (exitUsage) when the sizes need more memory than there is.
static void checkMemory(Sizes s, const Machine& machine) {
  const double inputs = 8 * (double(s.rows) * s.columns * s.batch + double(s.rows) * s.rows);
  const double results = 8 * 2 * double(s.rows) * s.batch;
  const bool gpu = thisBackend == Backend::gpu;
  const double device = inputs + results + 4.0 * double(machine.l2Bytes) + 128e6;
  // The executor keeps the device's arrays in host memory, and what it knows of every byte.
  const double host = inputs + 3 * results + 64e6 + (gpu ? 0 : 3.5 * device);
  const auto refuse = [&](const std::string& which, double needs, size_t free) {
    throw Error(exitUsage, "--rows " + std::to_string(s.rows) + " --cols " +
                               std::to_string(s.columns) + " --batch " + std::to_string(s.batch) +
                               " needs " + fixed(needs / 1048576, 0) + " MiB of " + which +
                               " memory and " + std::to_string(free >> 20) +
                               " MiB are free: choose smaller sizes");
  };
  if (gpu && device > double(machine.freeBytes)) refuse("GPU", device, machine.freeBytes);
  if (host > double(machine.hostFreeBytes)) refuse("host", host, machine.hostFreeBytes);
}

static void record(StepResult& r, double error, const Problem& problem) {
  r.relativeError = std::max(error, r.relativeError.value_or(0));
  r.ok = r.fault.empty() && *r.relativeError < tolerance;
  r.realExpected = std::accumulate(problem.expected().begin(), problem.expected().end(), 0.0);
}

static int lesson(int argc, char** argv) {
  const bool gpu = thisBackend == Backend::gpu;
  const auto options = parseOptions(
      argc, argv, program, thisBackend, "", {exerciseMode},
      {{"--rows", "rows L of each matrix, and of the fixed L × L matrix", gpu ? 512u : 64u},
       {"--cols", "columns M of each matrix", gpu ? 512u : 96u},
       {"--batch", "matrices N", gpu ? 1024u : 32u}});
  if (!options) return exitRight;
  if (options->mode == exerciseMode.flag)
    return runExercise<double>(*options, exerciseWith(exercise), "row means alone", rowMeansOf);
  const Sizes sizes{unsigned(options->sizes[0]), unsigned(options->sizes[1]),
                    unsigned(options->sizes[2])};
  Report report = startReport(*options, program);
  ResultFile file(options->json);
  checkMemory(sizes, report.machine);
  report.type = "double";
  report.block = unsigned(blockFor(sizes).x);
  report.cache = "L2 flushed before each sample";
  report.sizes = {{"rows", sizes.rows}, {"cols", sizes.columns}, {"batch", sizes.batch}};
  report.n = uint64_t(sizes.rows) * sizes.columns * sizes.batch;
  printMachine(report);
  std::cout << sizes.batch << " matrices of " << sizes.rows << " × " << sizes.columns
            << " doubles (" << double(report.n) * 8e-6 << " MB), seed " << report.seed;
  if (gpu) std::cout << ", medians of up to " << report.samples << " samples, " << report.cache;
  std::cout << "\n\n";

  std::optional<Progress> progress(std::in_place, program, blocksDone);
  progress->show("making the input");
  std::vector<Version> steps = versions();
#ifdef WORKSHOP_CUBLAS
  steps.push_back({"cublasDgemv + cublasDgemm", "", cublasMeanMatvec});
#endif
  std::erase_if(steps, [](const Version& step) { return step.available && !step.available(); });
  Problem problem(sizes, report.seed);
  DeviceArray<char> flush(4 * report.machine.l2Bytes, "the cache flush");
  flush.poison();
  const auto add = [&](const std::string& name, const std::string& basedOn) {
    report.steps.push_back({.lesson = program,
                            .name = name,
                            .basedOn = basedOn,
                            .ok = true,
                            .blocks = 1,
                            .elementBytes = sizeof(double)});
  };
  add("CPU, one core", "");
  add("CPU, all cores", "CPU, one core");
  const size_t first = report.steps.size();
  for (const Version& step : steps) add(step.name, step.basedOn);

  // Three runs on the CPU, the first to warm up.
  for (int round = 0; round < 3; ++round) {
    for (size_t i = 0; i < first; ++i) {
      double error = 0;
      progress->show(report.steps[i].name);
      const double ms = problem.runOnCpu(i == 0 ? meanMatvecSerial : meanMatvecAllCores, &error);
      if (round > 0) report.steps[i].kernelMs.push_back(ms);
      record(report.steps[i], error, problem);
    }
  }
  // On the GPU two rounds to warm up, then the samples in turn; no more than three of the slow
  // ones.
  const unsigned rounds = gpu ? report.samples + 2 : 1;
  for (unsigned round = 0; round < rounds; ++round) {
    for (size_t i = 0; i < steps.size(); ++i) {
      StepResult& r = report.steps[first + i];
      const auto prepare = [&] {
        problem.poison();
        readThroughCache(flush.data(), flush.size());
      };
      if (r.kernelMs.size() >= 3 && r.kernelMs.front() > 100) continue;
      progress->show(r.name + sampleName(round, 2, rounds - 2));
      const Arrays arrays = problem.arrays();
#ifdef __CUDACC__
      const double ms = timeKernel(prepare, [&] { steps[i].run(arrays); });
      if (round >= 2) r.kernelMs.push_back(ms);
#else
      try {
        r.counters = timeOnce(
                         prepare, [&] { steps[i].run(arrays); }, [] {})
                         .counters;
      } catch (const simt::Fault& fault) {
        r.fault = fault.what();
      }
#endif
      record(r, problem.error(steps[i]), problem);
    }
  }

  progress.reset();
  if (gpu) {
    printTimes(report);
  } else {
    printWholeCounters(report);
    std::cout << "\nCPU: one core " << fixed(spreadOf(report.steps[0].kernelMs).median, 3)
              << " ms, all cores " << fixed(spreadOf(report.steps[1].kernelMs).median, 3)
              << " ms\nskipped, as only a GPU has what it takes: cublasDgemv + cublasDgemm\n";
  }
  std::cout << (report.allRight() ? "every value is right: relative errors below 1e-12\n" : "")
            << std::flush;
  file.write(report);
  for (const StepResult& step : report.steps) {
    if (!step.fault.empty())
      std::cerr << program << ": " << step.fault << '\n';
    else if (!step.ok)
      std::cerr << program << ": " << step.name << " is wrong: a relative error of "
                << *step.relativeError << '\n';
  }
  return report.allRight() ? exitRight : exitWrong;
}

int main(int argc, char** argv) { return runProgram(program, lesson, argc, argv); }
