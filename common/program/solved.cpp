#include "program/solved.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <set>
#include <vector>

#include "base/escape.h"
#include "base/table.h"
#include "base/terminal.h"

namespace {

namespace fs = std::filesystem;

struct LessonsExercises {
  std::string program;
  unsigned small;      // how many of them it has
  bool graded = true;  // and one at its end, in exercise.cuh
};
const std::vector<LessonsExercises>& lessonsWithExercises() {
  static const std::vector<LessonsExercises> all = {
      {"01_cpu_baseline", 3, false}, {"02_neighbored", 3}, {"03_neighbored_less", 3},
      {"04_interleaved", 3},         {"05_unroll2", 3},    {"06_unroll8_warp", 3},
      {"07_complete_unroll", 3},     {"08_shuffle", 3},    {"09_mean_matvec", 5}};
  return all;
}

// As it stands in the file, a line each.
std::string entryOf(const std::string& program, unsigned number) {
  return program + (number == 0 ? " exercise" : fmt::format(" {}", number));
}

// The file, or nothing and why.
struct ProgressPlace {
  fs::path path;
  std::string why = {};
};
ProgressPlace placeOfProgress() {
  const char *const state = std::getenv("XDG_STATE_HOME"), *const home = std::getenv("HOME");
  fs::path folder;
  if (state && fs::path(state).is_absolute())
    folder = state;
  else if (home && fs::path(home).is_absolute())
    folder = fs::path(home) / ".local/state";
  else
    return {{}, "neither XDG_STATE_HOME nor HOME names a folder"};
  const fs::path path = folder / "cuda_reduction_step_by_step/solved";
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (fs::exists(status) && !fs::is_regular_file(status)) return {path, "that is no file"};
  return {path};
}

std::string textOfProgress(const fs::path& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::set<std::string> entriesOf(const std::string& text) {
  const std::vector<std::string> lines = split(text, "\n");
  return {lines.begin(), lines.end()};
}

// Adds the line, which other programs may be doing, too. Returns why it could not, or nothing.
std::string addEntry(const fs::path& path, const std::string& line) {
  std::error_code error;
  if (fs::create_directories(path.parent_path(), error))
    fs::permissions(path.parent_path(), fs::perms::owner_all, error);
  const int file = open(path.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
  if (file < 0) return std::strerror(errno);
  const ssize_t written = write(file, line.data(), line.size());
  const int why = written < 0 ? errno : ENOSPC;
  close(file);
  return written == ssize_t(line.size()) ? "" : std::strerror(why);
}

int printProgress() {
  const ProgressPlace kept = placeOfProgress();
  const std::set<std::string> solved =
      kept.why.empty() ? entriesOf(textOfProgress(kept.path)) : std::set<std::string>{};
  Table table;
  table.add({"solved so far", "1", "2", "3", "4", "5", "exercise.cuh"});
  std::string next;
  for (const auto& [program, small, graded] : lessonsWithExercises()) {
    Table::Row row = {program};
    for (const unsigned number : {1u, 2u, 3u, 4u, 5u, 0u}) {
      const bool isThere = number == 0 ? graded : number <= small,
                 isSolved = solved.contains(entryOf(program, number));
      row.push_back(!isThere ? "" : isSolved ? "solved" : "-");
      if (isThere && !isSolved && next.empty())
        next = program + " --exercise" + (number == 0 ? "" : fmt::format(" {}", number));
    }
    table.add(row);
  }
  table.print();
  std::cout << (next.empty() ? std::string("All are solved.\n") : "Next: build/cpu/" + next + '\n')
            << sentence(kept.why.empty() ? "Kept in " + terminalText(kept.path.string())
                                         : "Nothing is kept: " + kept.why);
  return 0;
}

}  // namespace

void keepSolved(const std::string& program, unsigned number) {
  const auto lesson = std::ranges::find(lessonsWithExercises(), program,
                                        [](const LessonsExercises& one) { return one.program; });
  if (lesson == lessonsWithExercises().end()) return;
  ProgressPlace kept = placeOfProgress();
  std::string text;
  if (kept.why.empty()) text = textOfProgress(kept.path);
  std::set<std::string> solved = entriesOf(text);
  const std::string line = entryOf(program, number);
  if (kept.why.empty() && solved.insert(line).second)
    kept.why = addEntry(kept.path, (text.empty() || text.back() == '\n' ? "" : "\n") + line + '\n');
  if (!kept.why.empty()) {
    std::cout << std::flush;
    std::cerr << program << ": your progress is not kept: "
              << (kept.path.empty() ? "" : terminalText(kept.path.string()) + ": ") << kept.why
              << '\n';
    return;
  }
  unsigned count = 0;
  for (unsigned each = lesson->graded ? 0 : 1; each <= lesson->small; ++each)
    count += solved.contains(entryOf(program, each));
  std::cout << fmt::format("Of this lesson {} of {} are solved; --progress shows all\n", count,
                           lesson->small + lesson->graded);
}

Mode progressMode() {
  return {.flag = "--progress",
          .help = "which exercises of all lessons you have solved",
          .run = [](const Options&) { return printProgress(); }};
}
