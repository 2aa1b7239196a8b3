#include "options.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <bit>
#include <iostream>

#include "check.h"

uint64_t parseCount(const std::string& option, const std::string& text) {
  const auto fail = [&](const std::string& why) -> uint64_t {
    throw Error(exitUsage, option + " '" + text + "': " + why);
  };
  const auto number = [&](const std::string& digits) {
    if (digits.empty() || digits.find_first_not_of("0123456789") != std::string::npos)
      fail("expected a count such as 1000003 or 2^28");
    uint64_t value = 0;
    for (const char digit : digits) {
      const auto next = uint64_t(digit - '0');
      if (value > (uint64_t(INT64_MAX) - next) / 10) fail("too large");
      value = value * 10 + next;
    }
    return value;
  };
  const size_t caret = text.find('^');
  if (caret == std::string::npos) return number(text);
  const uint64_t base = number(text.substr(0, caret));
  const uint64_t exponent = number(text.substr(caret + 1));
  uint64_t value = 1;
  for (uint64_t i = 0; i < exponent && value > 0 && base != 1; ++i) {
    if (base != 0 && value > uint64_t(INT64_MAX) / base) fail("too large");
    value *= base;
  }
  return value;
}

std::string countName(uint64_t n) {
  if (n < 1024) return std::to_string(n);
  const int exponent = std::bit_width(n) - 1;
  const uint64_t rest = n - (uint64_t(1) << exponent);
  if (rest >= 1 << 16 || rest > n / 8) return std::to_string(n);
  return "2^" + std::to_string(exponent) + (rest == 0 ? "" : " + " + std::to_string(rest));
}

static void readSchedule(const std::string& text, Options& options) {
  const size_t colon = text.find(':');
  options.schedule = text.substr(0, colon);
  const std::string seed = colon == std::string::npos ? "1" : text.substr(colon + 1);
  const bool known = options.schedule == "forward" || options.schedule == "reverse" ||
                     options.schedule == "random";
  if (!known || (colon != std::string::npos && options.schedule != "random") || seed.empty() ||
      seed.find_first_not_of("0123456789") != std::string::npos)
    throw Error(exitUsage,
                "--schedule '" + text + "': expected forward, reverse, random or random:SEED");
  options.scheduleSeed = parseCount("--schedule", seed);
}

static void checkLabel(const std::string& label) {
  const auto isControl = [](unsigned char c) { return c < 0x20 || c == 0x7f; };
  if (label.empty() || label.size() > 64 || std::any_of(label.begin(), label.end(), isControl))
    throw Error(exitUsage, "--label: expected a name of 1 to 64 bytes on one line");
}

std::string shellCommand(int argc, char** argv) {
  std::string command;
  for (int i = 0; i < argc; ++i) {
    const std::string word = argv[i];
    const bool plain =
        !word.empty() && word.find_first_not_of(
                             "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                             "^_-+=./:,@%") == std::string::npos;
    command += i == 0 ? "" : " ";
    if (plain) {
      command += word;
      continue;
    }
    command += '\'';
    for (const char c : word) command += c == '\'' ? std::string("'\\''") : std::string(1, c);
    command += '\'';
  }
  return command;
}

// A picture shows one block of its own size and input: what would change that is refused.
static void checkPictureOptions(const CLI::App& app, const Options& options) {
  if (options.svg.empty()) throw Error(exitUsage, "--svg '': expected a file name");
  for (const std::string flag : {"--n", "--block", "--samples", "--seed", "--json", "--counters"})
    if (app.count(flag)) throw Error(exitUsage, "--svg draws one small block: leave out " + flag);
  if (!options.mode.empty())
    throw Error(exitUsage, "--svg and " + options.mode + ": choose one of them");
}

std::optional<Options> parseOptions(int argc, char** argv, const std::string& program,
                                    Backend backend, const std::string& defaultN,
                                    const std::vector<Mode>& modes, const std::vector<Size>& sizes,
                                    bool draws) {
  CLI::App app("Lessons on adding up an array: " + program, program);
  Options options;
  std::string n, block, samples, seed, device, schedule;
  std::vector<std::string> sizeTexts(sizes.size());
  for (size_t i = 0; i < sizes.size(); ++i)
    app.add_option(sizes[i].flag, sizeTexts[i],
                   sizes[i].help + " (default " + std::to_string(sizes[i].standard) + ")")
        ->type_name("N");
  if (sizes.empty()) {
    app.add_option("--n", n, "elements, such as 1000003 or 2^28 (default " + defaultN + ")")
        ->type_name("N");
    app.add_option("--block", block, "threads per block: 32, 64, 128, 256, 512, 1024 (default 512)")
        ->type_name("B");
  }
  app.add_option("--samples", samples,
                 "timed runs per step (default 30; the executor's counts need one)")
      ->type_name("S");
  app.add_option("--seed", seed, "seed of the input (default 1)")->type_name("S");
  app.add_option("--json", options.json, "write the result file")->type_name("FILE");
  app.add_option("--label", options.label, "your name in the result file, for compare")
      ->type_name("NAME");
  if (backend == Backend::gpu) {
    app.add_option("--device", device, "which GPU (default 0)")->type_name("D");
  } else {
    app.add_option("--schedule", schedule,
                   "order of the executor's threads: forward (default), reverse, random[:SEED]")
        ->type_name("ORDER");
    app.add_flag("--fast", options.fast, "count only: do not look for races and unwritten memory");
    app.add_flag("--counters", options.allCounters, "show every counter");
    if (draws)
      app.add_option("--svg", options.svg, "draw what one small block does, and nothing else")
          ->type_name("FILE");
  }
  const auto offered = [&](const Mode& mode) { return !mode.gpuOnly || backend == Backend::gpu; };
  for (const Mode& mode : modes)
    if (offered(mode)) app.add_flag(mode.flag, mode.help);
  app.footer(
      "exit codes: 0 all results right, 1 a wrong result or a kernel fault, 2 bad usage or input,\n"
      "            3 no usable device");

  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    std::cout << app.help();
    return std::nullopt;
  } catch (const CLI::ParseError& error) {
    std::string line = error.what();
    if (line.find("--device") != std::string::npos && backend == Backend::cpu)
      line = "--device chooses a GPU, and this is the cpu program";
    for (const std::string flag : {"--schedule", "--fast", "--counters", "--svg"})
      if (line.find(flag) != std::string::npos && backend == Backend::gpu)
        line = flag + " is for the cpu programs, in build/cpu";
    if (line.find("--svg") != std::string::npos && backend == Backend::cpu && !draws)
      line = "--svg: this program has no picture; those of lessons 02, 03, 04, 05 and 08 do";
    for (const Mode& mode : modes)
      if (!offered(mode) && line.find(mode.flag) != std::string::npos)
        line = mode.flag + " needs a GPU and is for the gpu program, in build/gpu";
    throw Error(exitUsage, line + " (--help lists the options)");
  }

  for (const Mode& mode : modes) {
    if (!offered(mode) || !app.count(mode.flag)) continue;
    if (!options.mode.empty())
      throw Error(exitUsage, options.mode + " and " + mode.flag + ": choose one of them");
    options.mode = mode.flag;
  }
  for (size_t i = 0; i < sizes.size(); ++i) {
    options.sizes.push_back(sizes[i].standard);
    if (!app.count(sizes[i].flag)) continue;
    options.sizeGiven = true;
    options.sizes[i] = parseCount(sizes[i].flag, sizeTexts[i]);
    if (options.sizes[i] < 1 || options.sizes[i] > INT32_MAX)
      throw Error(exitUsage, sizes[i].flag + " " + sizeTexts[i] + ": expected 1 to 2^31 - 1");
  }
  if (sizes.empty() && app.count("--n")) options.n = parseCount("--n", n);
  if (app.count("--seed")) options.seed = parseCount("--seed", seed);
  if (sizes.empty() && app.count("--block")) {
    const uint64_t value = parseCount("--block", block);
    if (value < 32 || value > 1024 || !std::has_single_bit(value))
      throw Error(exitUsage, "--block " + block + ": expected 32, 64, 128, 256, 512 or 1024");
    options.block = unsigned(value);
    options.sizeGiven = true;
  }
  if (app.count("--samples")) {
    const uint64_t value = parseCount("--samples", samples);
    if (value < 1 || value > 100000)
      throw Error(exitUsage, "--samples " + samples + ": expected 1 to 100000");
    options.samples = unsigned(value);
  }
  if (backend == Backend::gpu && app.count("--device")) {
    const uint64_t value = parseCount("--device", device);
    if (value > 1023) throw Error(exitUsage, "--device " + device + ": there is no such GPU");
    options.device = int(value);
  }
  if (app.count("--label")) checkLabel(options.label);
  options.command = shellCommand(argc, argv);
  if (app.count("--json") && options.json.empty())
    throw Error(exitUsage, "--json '': expected a file name");
  if (backend == Backend::cpu && app.count("--schedule")) readSchedule(schedule, options);
  if (draws && backend == Backend::cpu && app.count("--svg")) checkPictureOptions(app, options);
  return options;
}

int runProgram(const std::string& program, int (*body)(int, char**), int argc, char** argv) {
  int code = exitUsage;
  std::string line;
  try {
    code = body(argc, argv);
    if (!std::cout.flush()) throw Error(exitUsage, "standard output could not be written");
    return code;
  } catch (const Error& error) {
    line = error.what();
    code = error.code;
  } catch (const std::bad_alloc&) {
    line = "not enough memory: choose a smaller --n";
    code = exitUsage;
  } catch (const std::exception& error) {
    line = error.what();
    code = exitWrong;
  }
  std::ranges::replace_if(
      line, [](char c) { return c == '\n' || c == '\r'; }, ' ');
  std::cerr << program << ": " << line << '\n';
  return code;
}
