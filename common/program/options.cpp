#include "program/options.h"

#include <fmt/core.h>

#include <algorithm>
#include <bit>
#include <charconv>

#include "base/counts.h"
#include "base/errors.h"
#include "base/options.h"
#include "base/program_main.h"

namespace {

[[noreturn]] void refuse(const std::string& line) { throw Error(exitUsage, line); }

// The texts of options that are numbers, before they are read.
struct Texts {
  std::string n, block, samples, seed, device, schedule, gpus, number;
  std::vector<std::string> sizes;
  bool noEstimate = false, mode = false;
};

bool offered(const Mode& mode, Backend backend) { return !mode.only || *mode.only == backend; }

void addOptions(OptionReader& app, const CommandLine& line, Options& options, Texts& texts) {
  texts.sizes.resize(line.sizes.size());
  for (size_t i = 0; i < line.sizes.size(); ++i)
    app.value(line.sizes[i].flag, texts.sizes[i], "N",
              fmt::format("{} (default {})", line.sizes[i].help, line.sizes[i].standard));
  if (line.sizes.empty()) {
    app.value("--n", texts.n, "N",
              "elements, such as 1000003 or 2^28 (default " + line.usualN + ")");
    app.value("--block", texts.block, "B",
              "threads per block: 32, 64, 128, 256, 512, 1024 (default 512)");
  }
  app.value("--samples", texts.samples, "S",
            "timed runs per step (default 30; the executor's counts need one)");
  app.value("--seed", texts.seed, "S", "seed of the input (default 1)");
  app.value("--json", options.json, "FILE", "write the result file");
  app.value("--label", options.label, "NAME", "your name in the result file, for compare");
  if (line.backend == Backend::gpu) {
    app.value("--device", texts.device, "D", "which GPU (default 0)");
  } else {
    app.value("--schedule", texts.schedule, "ORDER",
              "order of the executor's threads: forward (default), reverse, random[:SEED]");
    app.flag("--fast", options.fast, "count only: do not look for races and unwritten memory");
    app.flag("--counters", options.allCounters, "show every counter");
    app.value("--card", options.card, "CARD",
              "the card whose time is estimated: h200 (default), h100, or a card's file");
    app.flag("--where", options.where,
             "show the source lines that the estimated time goes into, as --explore always does");
    app.flag("--no-estimate", texts.noEstimate, "estimate no time");
    if (line.explores) {
      app.value("--explore", options.explore, "FILE.html",
                "write a page that steps through a small launch in a browser");
      app.values("--step", options.named, "NAME",
                 "the step of --explore, by its name in the table; twice for two side by side");
    }
  }
  for (const Mode& mode : line.modes) {
    if (!offered(mode, line.backend)) continue;
    if (mode.takesFile)
      app.value(mode.flag, options.modeFile, "FILE", mode.help);
    else if (mode.takesGpus)
      app.value(mode.flag, texts.gpus, "N|all", mode.help);
    else if (mode.numbers > 0)
      app.valueOrNone(mode.flag, texts.number, "N", mode.help);
    else
      app.flag(mode.flag, texts.mode, mode.help);
  }
  app.footer(
      "exit codes: 0 all results right, 1 a wrong result, a kernel fault or a goal of the "
      "exercise\n"
      "            that is not met, 2 bad usage or input, 3 no usable device");
}

// What is wrong, or something better where the other backend has the option.
std::string explained(const std::string& error, const CommandLine& line) {
  const auto about = [&](const std::string& flag) { return error.find(flag) != std::string::npos; };
  if (line.backend == Backend::cpu && about("--device"))
    return "--device chooses a GPU, and this is the cpu program";
  if (line.backend == Backend::gpu)
    for (const std::string flag : {"--schedule", "--fast", "--counters", "--card", "--where",
                                   "--no-estimate", "--explore", "--step"})
      if (about(flag)) return flag + " is for the cpu programs, in build/cpu";
  for (const Mode& mode : line.modes)
    if (!offered(mode, line.backend) && about(mode.flag))
      return *mode.only == Backend::gpu
                 ? mode.flag + " needs a GPU and is for the gpu program, in build/gpu"
                 : mode.flag + " is for the cpu programs, in build/cpu";
  return error;
}

void readSchedule(const std::string& text, Options& options) {
  const size_t colon = text.find(':');
  options.schedule = text.substr(0, colon);
  const std::string seed = colon == std::string::npos ? "1" : text.substr(colon + 1);
  const bool known = options.schedule == "forward" || options.schedule == "reverse" ||
                     options.schedule == "random";
  if (!known || (colon != std::string::npos && options.schedule != "random") || seed.empty() ||
      seed.find_first_not_of("0123456789") != std::string::npos)
    refuse("--schedule '" + text + "': expected forward, reverse, random or random:SEED");
  options.scheduleSeed = parseCount("--schedule", seed);
}

void checkLabel(const std::string& label) {
  const auto isControl = [](unsigned char c) { return c < 0x20 || c == 0x7f; };
  if (label.empty() || label.size() > 64 || std::any_of(label.begin(), label.end(), isControl))
    refuse("--label: expected a name of 1 to 64 bytes on one line");
}

// --step is for --explore, and for modes that show one step.
void checkStep(const OptionReader& app, const CommandLine& line, const Options& options) {
  if (options.named.empty() || app.has("--explore")) return;
  std::string flags = "--explore";
  for (const Mode& mode : line.modes) {
    if (!mode.step || !offered(mode, line.backend)) continue;
    flags += " or " + mode.flag;
    if (mode.flag != options.mode) continue;
    if (options.named.size() > 1) refuse("--step: one with " + mode.flag);
    return;
  }
  refuse("--step: only with " + flags);
}

// --explore goes with --exercise and with what says how large a launch is.
void checkExplore(const OptionReader& app, const CommandLine& line, const Options& options) {
  if (line.backend == Backend::gpu || !line.explores) return;
  checkStep(app, line, options);
  if (!app.has("--explore")) return;
  if (options.explore.empty()) refuse("--explore '': expected a file name");
  if (options.named.size() > 2) refuse("--step: at most two, which stand side by side");
  for (const std::string option : {"--samples", "--json", "--counters", "--fast"})
    if (app.has(option)) refuse(option + ": not with --explore, which records one small launch");
  for (const Mode& mode : line.modes)
    if (app.has(mode.flag) && !mode.explore)
      refuse(mode.flag + " and --explore: choose one of them");
}

// More than any machine has, or than the executor can imagine in a reasonable time.
constexpr unsigned mostGpus = 64;

unsigned readGpus(const std::string& flag, const std::string& text) {
  if (text == "all") return 0;
  unsigned count = 0;
  const char* const end = text.data() + text.size();
  const auto [read, error] = std::from_chars(text.data(), end, count);
  if (error != std::errc() || read != end || count < 1 || count > mostGpus)
    refuse(fmt::format("{} '{}': expected 1 to {}, or all", flag, text, mostGpus));
  return count;
}

unsigned readNumber(const Mode& mode, const std::string& text) {
  unsigned number = 0;
  const char* const end = text.data() + text.size();
  const auto [read, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc() || read != end || number < 1 || number > mode.numbers)
    refuse(fmt::format("{} '{}': expected 1 to {}, or no number", mode.flag, text, mode.numbers));
  return number;
}

void readMode(const OptionReader& app, const CommandLine& line, const Texts& texts,
              Options& options) {
  std::vector<const Mode*> given;
  for (const Mode& mode : line.modes)
    if (offered(mode, line.backend) && app.has(mode.flag)) given.push_back(&mode);
  if (given.empty()) return;
  const auto takesFileOf = [&](size_t one, size_t other) {
    return std::ranges::find(given[one]->takesFileOf, given[other]->flag) !=
           given[one]->takesFileOf.end();
  };
  if (given.size() > 1 && takesFileOf(1, 0)) std::swap(given[0], given[1]);
  const bool together = given.size() == 2 && takesFileOf(0, 1);
  if (given.size() > 1 && !together)
    refuse(given[0]->flag + " and " + given[1]->flag + ": choose one of them");
  options.mode = given[0]->flag;
  for (const Mode* mode : given) {
    if (mode->takesFile && options.modeFile.empty())
      refuse(mode->flag + " '': expected a file name");
    if (mode->takesFile) options.modeFileOf = mode->flag;
    if (mode->takesGpus) options.gpus = readGpus(mode->flag, texts.gpus);
    if (mode->numbers > 0 && !texts.number.empty())
      options.number = readNumber(*mode, texts.number);
    for (const auto& [option, why] : mode->leaveOut)
      if (app.has(option)) refuse(option + ": not with " + mode->flag + ", which " + why);
  }
}

// A count from least to most, where the option was given.
std::optional<uint64_t> readCount(const OptionReader& app, const std::string& option,
                                  const std::string& text, uint64_t least, uint64_t most,
                                  const std::string& otherwise) {
  if (!app.has(option)) return {};
  const uint64_t value = parseCount(option, text);
  if (value < least || value > most) refuse(option + " " + text + ": " + otherwise);
  return value;
}

void readNumbers(const OptionReader& app, const CommandLine& line, const Texts& texts,
                 Options& options) {
  for (size_t i = 0; i < line.sizes.size(); ++i) {
    const SizeOption& size = line.sizes[i];
    options.sizesGiven = options.sizesGiven || app.has(size.flag);
    options.sizes.push_back(
        readCount(app, size.flag, texts.sizes[i], 1, INT32_MAX, "expected 1 to 2^31 - 1")
            .value_or(size.standard));
  }
  options.n = readCount(app, "--n", texts.n, 0, INT64_MAX, "");
  options.seed = readCount(app, "--seed", texts.seed, 0, INT64_MAX, "").value_or(1);
  const std::string blocks = "expected 32, 64, 128, 256, 512 or 1024";
  if (const auto block = readCount(app, "--block", texts.block, 32, 1024, blocks)) {
    if (!std::has_single_bit(*block)) refuse("--block " + texts.block + ": " + blocks);
    options.block = unsigned(*block);
    options.blockGiven = true;
  }
  options.samples = unsigned(
      readCount(app, "--samples", texts.samples, 1, 100000, "expected 1 to 100000").value_or(30));
  options.device =
      int(readCount(app, "--device", texts.device, 0, 1023, "there is no such GPU").value_or(0));
}

}  // namespace

std::optional<Options> parseOptions(int argc, char** argv, const CommandLine& line) {
  OptionReader app("Lessons on adding up an array: " + line.program, line.program);
  Options options;
  Texts texts;
  addOptions(app, line, options, texts);
  if (!app.read(argc, argv, [&](const std::string& what) { return explained(what, line); }))
    return std::nullopt;
  options.estimate = !texts.noEstimate;
  readMode(app, line, texts, options);
  readNumbers(app, line, texts, options);
  checkExplore(app, line, options);
  if (app.has("--label")) checkLabel(options.label);
  options.command = shellCommand(argc, argv);
  if (app.has("--json") && options.json.empty()) refuse("--json '': expected a file name");
  if (!texts.schedule.empty() || (line.backend == Backend::cpu && app.has("--schedule")))
    readSchedule(texts.schedule, options);
  return options;
}
