#include "draw/step_picture.h"

#include "program/run.h"

#ifndef GPU_BACKEND
#include <fmt/core.h>

#include <algorithm>

#include "base/output_file.h"
#include "measure/workspace.h"

namespace {

constexpr unsigned drawnThreads = 64;  // two warps: enough to see that one of them rests

// The first block of every launch, as long as it lives.
struct Recording {
  simt::Trace trace;
  Recording() { simt::recordTrace(&trace, {.blocks = {0}, .maxSteps = SIZE_MAX}); }
  ~Recording() { simt::recordTrace(nullptr); }
};

}  // namespace

std::vector<Stage> stagesOf(const Step& step, unsigned elements) {
  // Ones, so that no element goes unnoticed in the sum.
  Input ones{std::make_unique<int[]>(elements), elements, int64_t(elements)};
  std::fill_n(ones.values.get(), elements, 1);
  Workspace workspace(ones, drawnThreads);
  Recording recording;
  const int64_t sum = workspace.totalOf(step);
  if (sum != ones.sum)
    throw Error(exitWrong, fmt::format("{} is wrong: {} instead of {}", step.name, sum, ones.sum));
  return stagesOf(recording.trace);
}

static int draw(const Options& options, const std::string& kernel, const std::string& note,
                const std::function<std::vector<Stage>()>& stages) {
  OutputFile file("--svg", options.modeFile, isBlockPicture, "a picture drawn by --svg");
  const simt::WithSettings settings(executorSettings(options));
  const std::vector<Stage> drawn = stages();
  if (drawn.empty())
    throw Error(exitWrong, "--svg: there is nothing to draw, as the kernel touches no memory");
  file.write(blockPicture(kernel, drawn), kernel + ", " + note);
  return exitRight;
}

static int drawStep(const Options& options, const Step& step, unsigned elements) {
  return draw(options, step.name,
              fmt::format("1 block of {} threads, {} elements", drawnThreads, elements),
              [&] { return stagesOf(step, elements); });
}

int drawLaunch(const Options& options, const std::string& kernel, const std::string& about,
               const std::function<void()>& launch) {
  return draw(options, kernel, about, [&] {
    Recording recording;
    launch();
    return stagesOf(recording.trace);
  });
}
#endif

Mode pictureMode([[maybe_unused]] const Step& step, [[maybe_unused]] unsigned elements) {
  Mode mode{.flag = "--svg",
            .help = "draw what one small block does, and nothing else",
            .run = {},
            .takesFile = true,
            .only = Backend::cpu};
#ifndef GPU_BACKEND
  mode.run = [=](const Options& options) { return drawStep(options, step, elements); };
#endif
  for (const std::string option : {"--n", "--block", "--samples", "--seed", "--json", "--counters"})
    mode.leaveOut.emplace_back(option, "draws one small block");
  return mode;
}
