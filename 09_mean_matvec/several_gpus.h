// --gpus: the batch divided among several GPUs, which need nothing of each other.
#pragma once

#include "multi_gpu/cards_stopwatch.h"
#include "multi_gpu/gpus_mode.h"
#include "multi_gpu/scaling.h"
#include "program.h"

// A batch in parts, one on each of the first so many cards, with a matrix for each card.
class DividedProblem {
 public:
  DividedProblem(Cards& cards, unsigned gpus, Sizes sizes, uint64_t seed)
      : cards_(cards), problems_(gpus) {
    const auto make = [&](unsigned card) {
      Sizes part = sizes;
      part.batch =
          unsigned(uint64_t(sizes.batch) * (card + 1) / gpus - uint64_t(sizes.batch) * card / gpus);
      problems_[card] = std::make_unique<Problem>(part, seed + 2 * card);
    };
    cards_.run(gpus, make, {}, "making the input", 3600);  // with the CPU's answer
    expected_ = onEach([](const Problem& problem) {
      return std::accumulate(problem.expected().begin(), problem.expected().end(), 0.0);
    });
  }

  // Valid as long as this is.
  Task taskFor(const Version& version, uint64_t n) {
    const unsigned gpus = unsigned(problems_.size());
    StepResult step{.lesson = "09_mean_matvec",
                    .name = version.name + " on " + gpuCount(gpus),
                    .basedOn = gpus > 1 ? version.name + " on " + gpuCount(1) : "",
                    .blocks = 1,
                    .n = n,
                    .elementBytes = sizeof(double),
                    .gpus = gpus,
                    .partMs = partsOf(gpus, false)};
    for (const double expected : expected_) step.realExpected += expected;
    return {.step = step,
            .prepare =
                [this] {
                  cards_.run(unsigned(problems_.size()),
                             [&](unsigned card) { problems_[card]->poison(); });
                },
            .run =
                [this, version] {
                  cards_.run(unsigned(problems_.size()), [&](unsigned card) {
                    cards_.mark(card, 0);
                    version.run(problems_[card]->arrays());
                    cards_.mark(card, 1);
                  });
                },
            .check = [this](StepResult& step) { check(step); }};
  }

 private:
  // What find(problem) gives on each card.
  template <typename Find>
  std::vector<double> onEach(const Find& find) const {
    std::vector<double> found(problems_.size());
    cards_.run(unsigned(problems_.size()),
               [&](unsigned card) { found[card] = find(*problems_[card]); });
    cards_.share(found);
    return found;
  }

  void check(StepResult& step) const {
    for (const double error : onEach([](Problem& problem) { return problem.error(); }))
      step.relativeError = std::max(error, step.relativeError.value_or(0));
    step.ok = step.ok && *step.relativeError < tolerance;
  }

  Cards& cards_;
  std::vector<std::unique_ptr<Problem>> problems_;
  std::vector<double> expected_;  // the sum of each one's
};

// Throws Error (exitUsage) when one of the cards, or the host for all of them, has too little
// memory.
inline void checkMemoryOf(const Cards& cards, Sizes sizes, Machine machine) {
  if (onGpu)
    machine.hostFreeBytes /= cards.count();
  else
    sizes.batch *= cards.count();
  checkMemory(sizes, machine);
}

// The fastest version on one GPU, two and so on: with the batch that was asked for, and with as
// many matrices for each GPU.
inline int severalGpusProgram(const Options& options, Ranks& ranks) {
  const Sizes sizes{unsigned(options.sizes[0]), unsigned(options.sizes[1]),
                    unsigned(options.sizes[2])};
  Report report = startReport(options, program);
  ResultFile file(options.json);
  Cards cards(options.gpus, report.machine, program, ranks);
  report.machine.gpus = cards.count();
  if (sizes.batch < cards.count() || sizes.batch > INT32_MAX / cards.count())
    throw Error(exitUsage,
                fmt::format("--batch {}: expected {} to {} for {}", sizes.batch, cards.count(),
                            INT32_MAX / cards.count(), gpuCount(cards.count())));
  checkMemoryOf(cards, sizes, report.machine);
  describe(report, sizes);
  if (ranks.several()) std::cout << cards.description() << "\n\n";
  CardsStopwatch stopwatch(cards, options, report);
  const std::string fastest = tensorCoresWork() ? "v5, overlapped" : "v5, input evicted first";
  const std::vector<Version> all = versions();
  const Version version = *std::ranges::find(all, fastest, &Version::name);
  const auto measure = [&](unsigned gpus, unsigned times) {
    Sizes whole = sizes;
    whole.batch *= times;
    DividedProblem problem(cards, gpus, whole, report.seed);
    const Task task = problem.taskFor(version, report.n * times);
    report.steps.push_back(stopwatch.measure({task}, samplingOf(options)).front());
  };
  for (unsigned gpus = 1; gpus <= cards.count(); ++gpus) measure(gpus, 1);
  for (unsigned gpus = 2; gpus <= cards.count(); ++gpus) measure(gpus, gpus);
  printCards(report, {fastest});
  return finish(report, file, "every value is right: relative errors below 1e-12");
}

inline Mode severalGpusMode(Ranks& ranks) {
  return gpusMode(ranks, "the batch divided among 1 to N GPUs; the cpu program imagines them",
                  severalGpusProgram);
}
