#include "simtcc/runtime/environment.h"

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

extern char** environ;

namespace simt {
namespace {

using Text = std::string_view;

bool isNumber(Text text) {
  return !text.empty() && text.size() < 19 &&
         std::ranges::all_of(text, [](unsigned char c) { return std::isdigit(c) != 0; });
}
bool isSwitch(Text text) { return text.empty() || text == "0" || text == "1"; }
bool isSchedule(Text text) {
  return text == "forward" || text == "reverse" || text == "random" ||
         (text.starts_with("random:") && isNumber(text.substr(7)));
}
bool isSeconds(Text text) {
  if (text.empty()) return false;
  char* end = nullptr;
  return std::strtod(text.data(), &end) >= 0 && *end == '\0';  // of the environment: it ends in 0
}
bool isShare(Text text) { return text == "all" || isSeconds(text); }

struct Variable {
  Text name;
  bool (*allows)(Text value);
  const char* values;
};
constexpr Variable variables[] = {
    {"SIMT_QUIET", isSwitch, "0 or 1"},
    {"SIMT_FAST", isSwitch, "0 or 1"},
    {"SIMT_STRICT", isSwitch, "0 or 1"},
    {"SIMT_SCHEDULE", isSchedule, "forward, reverse, random or random:7"},
    {"SIMT_WORKERS", isNumber, "a number of processes"},
    {"SIMT_PATIENCE", isSeconds, "a number of seconds"},
    {"SIMT_SEARCH", isShare, "all or a number of seconds"}};

bool isOn(const char* name) {
  const char* const value = std::getenv(name);
  return value && Text(value) == "1";
}

// Of the environment: without what a terminal would obey.
std::string shown(Text text) {
  std::string result;
  for (const unsigned char c : text.substr(0, 60)) result += c < 0x20 || c == 0x7f ? '?' : char(c);
  return result;
}

[[noreturn]] void refuse(const std::string& why) {
  std::fprintf(stderr, "%s\n", why.c_str());
  std::_Exit(2);
}

}  // namespace

Settings settingsOfEnvironment() {
  Settings result = settings();
  if (const char* schedule = std::getenv("SIMT_SCHEDULE")) {
    const std::string text = schedule;
    if (text == "reverse") result.schedule.order = Schedule::Order::reverse;
    if (text.starts_with("random")) result.schedule.order = Schedule::Order::random;
    if (text.starts_with("random:"))
      result.schedule.seed = std::strtoull(text.c_str() + 7, nullptr, 10);
  }
  constexpr double searchSeconds = 2;
  const char* const share = std::getenv("SIMT_SEARCH");
  if (!share)
    result.searchSeconds = searchSeconds;
  else if (isSeconds(share))
    result.searchSeconds = std::strtod(share, nullptr);
  if (isOn("SIMT_FAST")) result.findFaults = false;
  if (isStrict()) result.benignRacesFail = result.missedBarriersFail = true;
  return result;
}

bool isQuiet() { return isOn("SIMT_QUIET"); }
bool isStrict() { return isOn("SIMT_STRICT"); }

void checkEnvironment() {
  for (char** each = environ; each && *each; ++each) {
    const Text entry = *each;
    if (!entry.starts_with("SIMT_")) continue;
    const size_t equals = std::min(entry.find('='), entry.size());
    const Text name = entry.substr(0, equals);
    const Text value = entry.substr(std::min(equals + 1, entry.size()));
    const auto* const known = std::ranges::find(variables, name, &Variable::name);
    if (known == std::end(variables)) {
      std::string names;
      for (const Variable& v : variables)
        names += (names.empty() ? "" : ", ") + std::string(v.name);
      refuse(shown(name) + " in the environment is not known: there are " + names);
    }
    if (!known->allows(value))
      refuse(shown(name) + "=" + shown(value) + " in the environment: it can be " + known->values);
  }
}

}  // namespace simt
