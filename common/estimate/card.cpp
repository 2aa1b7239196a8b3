#include "estimate/card.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

#include "base/errors.h"
#include "base/escape.h"
#include "base/unicode.h"

namespace estimate {

namespace {
constexpr CardParameter allParameters[] = {
    {"clock_ghz", &Card::clockGhz, "GHz", "clock of the multiprocessors under load", 0.1, 10},
    {"multiprocessors", &Card::multiprocessors, "", "multiprocessors", 1, 1024},
    {"schedulers", &Card::schedulers, "", "schedulers of a multiprocessor", 1, 16},
    {"warps", &Card::warps, "", "resident warps of a multiprocessor", 1, 256},
    {"blocks", &Card::blocks, "", "resident blocks of a multiprocessor", 1, 256},
    {"registers", &Card::registers, "", "registers of a multiprocessor", 1024, 1 << 24},
    {"shared_bytes", &Card::sharedBytes, "bytes", "shared memory of a multiprocessor", 1024,
     1 << 24},
    {"reserved_shared_bytes", &Card::reservedSharedBytes, "bytes",
     "shared memory that every block takes beside its own", 0, 1 << 20},
    {"l2_bytes", &Card::l2Bytes, "bytes", "L2 cache of the card", 1 << 16, 1e12},
    {"arithmetic_latency", &Card::arithmeticLatency, "cycles",
     "from an instruction to the next that needs its result", 1, 100},
    {"control_cycles", &Card::controlCycles, "cycles",
     "of a scheduler, for a branch or what parts lanes and puts them together", 1, 100},
    {"shuffle_cycles", &Card::shuffleCycles, "cycles", "of the pipe, for a shuffle", 0.1, 100},
    {"shuffle_latency", &Card::shuffleLatency, "cycles", "until a shuffle's value is there", 1,
     1000},
    {"reduce_cycles", &Card::reduceCycles, "cycles", "of the pipe, for a reduction or a vote", 0.1,
     100},
    {"reduce_latency", &Card::reduceLatency, "cycles", "until a reduction's value is there", 1,
     1000},
    {"special_cycles", &Card::specialCycles, "cycles",
     "of a scheduler's unit for special functions, for an instruction", 1, 100},
    {"barrier_latency", &Card::barrierLatency, "cycles",
     "from a block barrier's last arrival to the first warp that goes on", 0, 1000},
    {"barrier_cycles_per_warp", &Card::barrierCyclesPerWarp, "cycles",
     "between the arrivals of two warps at barriers of a multiprocessor", 0, 100},
    {"block_start_cycles", &Card::blockStartCycles, "cycles",
     "between the starts of two blocks on a multiprocessor", 1, 1e5},
    {"block_turnaround_cycles", &Card::blockTurnaroundCycles, "cycles",
     "from a block's end to the first instruction of the next in its place", 0, 1e5},
    {"block_turnaround_cycles_per_warp", &Card::blockTurnaroundCyclesPerWarp, "cycles",
     "… more for every warp", 0, 1000},
    {"shared_latency", &Card::sharedLatency, "cycles", "until a value from shared memory is there",
     1, 1000},
    {"l1_latency", &Card::l1Latency, "cycles", "until a value from L1 is there", 1, 1000},
    {"load_pass_cycles", &Card::loadPassCycles, "cycles",
     "of the load/store pipe, for a line of 128 bytes", 0.1, 100},
    {"store_sector_cycles", &Card::storeSectorCycles, "cycles", "for every sector of a store", 0.1,
     100},
    {"store_mask_cycles", &Card::storeMaskCycles, "cycles",
     "more for every line of a store that does not fill its sectors", 0, 100},
    {"l2_latency", &Card::l2Latency, "cycles", "until a value from L2 is there", 1, 10000},
    {"l2_gbps", &Card::l2Gbps, "GB/s", "that L2 delivers to all multiprocessors", 1, 1e6},
    {"memory_latency", &Card::memoryLatency, "cycles", "until a value from memory is there", 1,
     100000},
    {"memory_latency_spread", &Card::memoryLatencySpread, "cycles",
     "that it is later than soonest on average, by chance", 0, 10000},
    {"memory_write_delay", &Card::memoryWriteDelay, "cycles",
     "that it comes later where as much is written as is read", 0, 10000},
    {"memory_channels", &Card::memoryChannels, "",
     "channels that a multiprocessor's lines are spread over by chance", 1, 1024},
    {"read_gbps", &Card::readGbps, "GB/s", "that memory delivers", 1, 1e6},
    {"mixed_gbps", &Card::mixedGbps, "GB/s", "that memory moves when as much is written as is read",
     1, 1e6},
    {"random_read_gbps", &Card::randomReadGbps, "GB/s",
     "that memory delivers in single sectors at random places", 1, 1e6},
    {"atomic_latency", &Card::atomicLatency, "cycles", "until an atomic's result is there", 1,
     100000},
    {"atomic_same_address_cycles", &Card::atomicSameAddressCycles, "cycles",
     "between two atomics on one address", 0.1, 10000},
    {"atomic_whole_sector_cycles", &Card::atomicWholeSectorCycles, "cycles",
     "between two that update all of a sector", 0.1, 10000},
    {"atomic_units", &Card::atomicUnits, "", "of L2 that atomics on many addresses are spread over",
     1, 4096},
    {"fence_latency", &Card::fenceLatency, "cycles",
     "until a fence knows that all would see what was stored before it", 0, 100000},
    {"launch_microseconds", &Card::launchMicroseconds, "µs", "an empty kernel, by events", 0, 1000},
    {"managed_first_microseconds", &Card::managedFirstMicroseconds, "µs",
     "until the first page of managed memory that the host has begins to come", 0, 1e5},
    {"managed_written_microseconds", &Card::managedWrittenMicroseconds, "µs",
     "for each 64 KiB of it that the host has written", 0, 1e5},
    {"managed_untouched_microseconds", &Card::managedUntouchedMicroseconds, "µs",
     "for each 64 KiB that nobody has", 0, 1e5},
};
}  // namespace

constinit const std::span<const CardParameter> cardParameters = allParameters;

namespace {

using nlohmann::json;

[[noreturn]] void refuse(const std::string& what, const std::string& why) {
  throw Error(exitUsage, what + " " + why);
}

const json& member(const json& object, const std::string& name, const std::string& where) {
  if (!object.is_object()) refuse(where.empty() ? "the file" : where, "is not an object");
  const auto found = object.find(name);
  if (found == object.end()) refuse(where.empty() ? name : where + "." + name, "is missing");
  return *found;
}

std::string textOf(const json& value, const std::string& where) {
  if (!value.is_string()) refuse(where, "is not a text");
  const std::string text = cutToBytes(terminalText(value.get<std::string>()), 400);
  if (text.empty()) refuse(where, "is empty");
  return text;
}

double numberOf(const json& value, const CardParameter& parameter, const std::string& where) {
  if (!value.is_number()) refuse(where, "is not a number");
  const double number = value.get<double>();
  if (!(number >= parameter.least && number <= parameter.most))
    refuse(where, fmt::format("is not between {:g} and {:g}", parameter.least, parameter.most));
  return number;
}

Card cardOf(const json& file) {
  const json& schema = member(file, "schema", "");
  if (!schema.is_number_integer() || schema.get<int64_t>() != 1)
    refuse("schema", "is not 1, the only one known here");
  Card card;
  card.name = textOf(member(file, "card", ""), "card");
  const json& parameters = member(file, "parameters", "");
  for (const CardParameter& parameter : cardParameters) {
    const std::string where = std::string("parameters.") + parameter.name;
    const json& entry = member(parameters, parameter.name, "parameters");
    card.*parameter.member = numberOf(member(entry, "value", where), parameter, where + ".value");
    card.how[parameter.name] = textOf(member(entry, "how", where), where + ".how");
  }
  for (const auto& [name, value] : parameters.items())
    if (!card.how.count(name))
      refuse("parameters." + cutToBytes(terminalText(name), 60), "is not a parameter of a card");
  return card;
}

json parsed(const std::string& text) {
  if (text.find_first_not_of(" \t\r\n") == std::string::npos) throw Error(exitUsage, "is empty");
  try {
    return json::parse(text);
  } catch (const json::parse_error& error) {
    const auto end = text.begin() + long(std::min(error.byte, text.size()));
    throw Error(exitUsage,
                fmt::format("is not JSON (line {})", 1 + std::count(text.begin(), end, '\n')));
  } catch (const json::exception&) {
    throw Error(exitUsage, "is not JSON (a number is too large)");
  }
}

}  // namespace

Card parseCard(const std::string& text, const std::string& path) {
  try {
    return cardOf(parsed(text));
  } catch (const Error& error) {
    throw Error(exitUsage, path + ": " + error.what());
  }
}

Card readCard(const std::string& path) {
  constexpr size_t most = 1 << 20;
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) refuse(path + ":", "is a directory");
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  if (!file) refuse(path + ":", fmt::format("cannot be read ({})", std::strerror(errno)));
  std::string text(most + 1, ' ');
  file.read(text.data(), long(text.size()));
  text.resize(size_t(file.gcount()));
  if (file.bad()) refuse(path + ":", "cannot be read");
  if (text.size() > most) refuse(path + ":", "is larger than 1 MiB");
  return parseCard(text, path);
}

// In programs that an installed simtcc has compiled: where its cards are.
extern "C" __attribute__((weak)) const char simt_cards_folder[];

Card findCard(const std::string& nameOrPath) {
  namespace fs = std::filesystem;
  const fs::path folder = &simt_cards_folder ? simt_cards_folder : WORKSHOP_CARDS;
  const bool isName = !nameOrPath.empty() && nameOrPath.find_first_of("/.\\") == std::string::npos;
  const fs::path path = isName && fs::exists(folder / (nameOrPath + ".json"))
                            ? folder / (nameOrPath + ".json")
                            : fs::path(nameOrPath);
  std::error_code ignored;
  if (fs::exists(path, ignored)) {
    Card card = readCard(path.string());
    if (fs::equivalent(fs::absolute(path, ignored).parent_path(), folder, ignored))
      card.key = path.stem().string();
    return card;
  }
  if (!fs::exists(folder, ignored))
    refuse(terminalText(nameOrPath), "cannot be looked up: " + terminalText(folder.string()) +
                                         ", where this program was built, is not there");
  std::vector<std::string> known;
  for (const auto& entry : fs::directory_iterator(folder, ignored))
    if (entry.path().extension() == ".json") known.push_back(entry.path().stem().string());
  std::sort(known.begin(), known.end());
  refuse(terminalText(nameOrPath),
         fmt::format("is neither a card nor a file: the cards are {}", fmt::join(known, ", ")));
}

std::string cardText(const Card& card) {
  nlohmann::ordered_json file = {{"schema", 1}, {"card", card.name}};
  for (const CardParameter& parameter : cardParameters) {
    const auto how = card.how.find(parameter.name);
    file["parameters"][parameter.name] = {{"value", card.*parameter.member},
                                          {"unit", parameter.unit},
                                          {"how", how == card.how.end() ? "" : how->second}};
  }
  return file.dump(1) + "\n";
}

}  // namespace estimate
