#include "estimate/gpu_code/launched.h"

#include <cxxabi.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <memory>

#include "estimate/gpu_code/feed.h"
#include "estimate/gpu_code/program_symbols.h"

// The code of the program's files, one after the other, each with a 0 behind it (add_gpu_code() in
// common/cmake): nothing in a program that has none.
extern "C" {
[[gnu::weak]] extern const char __start_workshop_ptx[];
[[gnu::weak]] extern const char __stop_workshop_ptx[];
}

namespace estimate::gpu_code {
namespace {

struct File {
  std::string_view text;
  std::unique_ptr<Module> module = nullptr;  // when it was needed
};

std::vector<File>& files() {
  static std::vector<File> all = [] {
    std::vector<File> found;
    const char *at = __start_workshop_ptx, *const end = __stop_workshop_ptx;
    while (at && at < end) {
      const size_t length = strnlen(at, size_t(end - at));
      if (length > 0) found.push_back({std::string_view(at, length)});
      at += length + 1;
    }
    return found;
  }();
  return all;
}

struct Code {
  const Module* module = nullptr;
  const Function* kernel = nullptr;
};

Code codeOf(const std::string& name) {
  for (File& file : files()) {
    if (file.text.find(".entry " + name + "(") == std::string_view::npos) continue;
    if (!file.module) file.module = std::make_unique<Module>(readModule(file.text));
    const auto known = file.module->functions.find(name);
    if (known != file.module->functions.end()) return {file.module.get(), &known->second};
  }
  throw Unsupported(files().empty()
                        ? "estimates need clang++, which makes the code of a GPU, and it was not "
                          "there when the program was built"
                        : "there is no code of a GPU for it");
}

// Where the executor keeps the arguments: words behind the kernel's address, or simt::Arguments,
// one behind the other.
std::vector<uint8_t> parametersOf(const Function& kernel, const Asked& asked) {
  std::vector<uint8_t> all(kernel.paramBytes);
  const auto* from = static_cast<const uint8_t*>(asked.arguments) + sizeof(void*);
  if (asked.areWords) {
    for (size_t p = 0; p < kernel.parameters.size(); ++p)
      std::memcpy(all.data() + kernel.parameters[p].place, from + 8 * p,
                  kernel.parameters[p].bytes);
    return all;
  }
  uint32_t most = 1;
  for (const Parameter& p : kernel.parameters) most = std::max(most, p.align);
  const auto aligned = [](uint64_t at, uint64_t to) { return (at + to - 1) / to * to; };
  uint64_t at = aligned(sizeof(void*), most) - sizeof(void*);
  for (const Parameter& parameter : kernel.parameters) {
    at = aligned(at + sizeof(void*), std::max(parameter.align, 1u)) - sizeof(void*);
    std::memcpy(all.data() + parameter.place, from + at, parameter.bytes);
    at += parameter.bytes;
  }
  return all;
}

// Variables of the code are those of the program, by their names; others begin as they are written.
void fillVariables(const Module& module, uint64_t address, uint8_t* page) {
  const uint64_t begin = address - variablesBase, end = begin + Memory::pageBytes;
  for (const auto& [name, v] : module.variables) {
    if (v.space == Space::shared || v.place >= end || v.place + v.bytes <= begin) continue;
    const Symbol symbol = symbolNamed(name);
    const auto* const bytes = symbol.bytes >= v.bytes && symbol.bytes > 0
                                  ? reinterpret_cast<const uint8_t*>(symbol.address)
                                  : v.initial.data();
    if (bytes == v.initial.data() && v.initial.size() < v.bytes) continue;
    const uint64_t from = std::max(begin, v.place), to = std::min(end, v.place + v.bytes);
    std::memcpy(page + (from - begin), bytes + (from - v.place), to - from);
  }
}

std::string readable(const std::string& symbol) {
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> text(
      abi::__cxa_demangle(symbol.c_str(), nullptr, nullptr, &status), std::free);
  return status == 0 ? text.get() : symbol;
}

}  // namespace

Launch listed(const Asked& asked, const std::vector<uint64_t>& blocks, uint64_t mostInstructions) {
  const std::string symbol = functionNameAt(asked.kernel);
  const std::string name = asked.name.empty() ? readable(symbol) : asked.name;
  try {
    const Code code = codeOf(symbol);
    LaunchOfCode launch;
    launch.grid = asked.grid;
    launch.block = asked.block;
    launch.dynamicShared = asked.dynamicShared;
    launch.multiprocessors = asked.multiprocessors;
    launch.cooperative = asked.cooperative;
    launch.parameters = parametersOf(*code.kernel, asked);
    Memory memory(
        [&](uint64_t address, uint8_t* page) { fillVariables(*code.module, address, page); });
    Feed feed(*code.module, *code.kernel, launch, name, asked.arrays);
    execute(*code.module, *code.kernel, launch, blocks, memory, feed, mostInstructions);
    return feed.take();
  } catch (const TooLong& problem) {
    throw TooLong(name + ": " + problem.what());
  } catch (const Unsupported& problem) {
    throw Unsupported(name + ": " + problem.what());
  }
}

}  // namespace estimate::gpu_code
