#include "estimate/gpu_code/launched.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <numeric>
#include <optional>
#include <set>

#include "estimate/gpu_code/costs_state.h"
#include "estimate/gpu_code/feed.h"
#include "estimate/gpu_code/listing.h"
#include "estimate/gpu_code/program_symbols.h"
#include "estimate/gpu_code/work_of_blocks.h"
#include "simt/image/symbols.h"

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
  unsigned number = 0;                       // that the program's symbols have for it, or 0
  std::unique_ptr<Module> module = nullptr;  // when it was needed
};

std::vector<File>& files() {
  static std::vector<File>& all = *new auto([] {
    std::vector<File> found;
    const char *at = __start_workshop_ptx, *const end = __stop_workshop_ptx;
    while (at && at < end) {
      const size_t length = strnlen(at, size_t(end - at));
      if (length > 0) found.push_back({std::string_view(at, length), fileOf(at)});
      at += length + 1;
    }
    return found;
  }());  // programs ask until their very end
  return all;
}

struct Code {
  const File* file;
  const Function* kernel;
};

// Why a file lacks the code of a kernel: "// no code of NAME: why", or of all of them.
std::string whyNone(const ProgramFunction& kernel) {
  std::string name = readable(kernel.name);
  name = name.substr(0, name.find_first_of("<("));
  name = name.substr(name.find_last_of(" :") + 1);
  for (const File& file : files()) {
    if (file.number != kernel.file && kernel.file != 0 && file.number != 0) continue;
    for (const std::string& mark : {"// no code of " + name + ": ", std::string("// no code: ")})
      if (const size_t at = file.text.find(mark); at != std::string_view::npos) {
        const std::string_view line = file.text.substr(at + mark.size());
        return ": " + std::string(line.substr(0, line.find('\n')));
      }
  }
  return "";
}

// What the GPU compiler calls a kernel of this name: the same, or the lambda in it has another
// number, or its parameters' types other names.
std::string nameIn(const File& file, const std::string& name) {
  constexpr std::string_view entry = ".entry ";
  const auto isThere = [&](const std::string& its) {
    return file.text.find(std::string(entry) + its + "(") != std::string_view::npos;
  };
  if (isThere(name)) return name;
  // nvcc does not mark names that only their file knows.
  if (name.starts_with("_ZL") && isThere("_Z" + name.substr(3))) return "_Z" + name.substr(3);
  std::vector<std::string> names;
  for (size_t at = 0; (at = file.text.find(entry, at)) != std::string_view::npos;) {
    at += entry.size();
    names.emplace_back(file.text.substr(at, file.text.find('(', at) - at));
  }
  if (const std::vector<std::string> ours = likeButForLambdas(name); !ours.empty()) {
    const std::vector<std::string> theirs = likeButForLambdas(name, names);
    if (ours.size() != theirs.size()) return "";
    return theirs[size_t(std::ranges::find(ours, name) - ours.begin())];
  }
  // nvcc's own headers call their types otherwise than the executor's: the only one of this name.
  const auto called = [](const std::string& symbol) {
    return simt::kernelNameOf(readable(symbol));
  };
  std::erase_if(names, [&](const std::string& its) { return called(its) != called(name); });
  return names.size() == 1 ? names[0] : "";
}

Code codeOf(const ProgramFunction& kernel) {
  if (!isThere())
    throw Unsupported(
        "estimates need clang++, which makes the code of a GPU, and it was not there when the "
        "program was built");
  if (kernel.name.empty()) throw Unsupported("its launch does not say which function it is");
  for (File& file : files()) {
    if (kernel.file != 0 && file.number != 0 && file.number != kernel.file) continue;
    const std::string name = nameIn(file, kernel.name);
    if (name.empty()) continue;
    if (!file.module) file.module = std::make_unique<Module>(readModule(file.text));
    const auto known = file.module->functions.find(name);
    if (known != file.module->functions.end()) return {&file, &known->second};
  }
  throw Unsupported("there is no code of a GPU for it" + whyNone(kernel));
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
void fillVariables(const File& file, uint64_t address, uint8_t* page) {
  const uint64_t begin = address - variablesBase, end = begin + Memory::pageBytes;
  for (const auto& [name, v] : file.module->variables) {
    if (v.space == Space::shared || v.place >= end || v.place + v.bytes <= begin) continue;
    const Symbol symbol = variableNamed(name, file.number);
    const auto* const bytes = symbol.bytes >= v.bytes && symbol.bytes > 0
                                  ? reinterpret_cast<const uint8_t*>(symbol.address)
                                  : v.initial.data();
    if (bytes == v.initial.data() && v.initial.size() < v.bytes) continue;
    const uint64_t from = std::max(begin, v.place), to = std::min(end, v.place + v.bytes);
    std::memcpy(page + (from - begin), bytes + (from - v.place), to - from);
  }
}

}  // namespace

bool isThere() { return !files().empty(); }

std::string whoMadeIt() {
  constexpr std::string_view by = "\n//by ";
  std::set<std::string> all;
  for (const File& file : files())
    if (const size_t at = file.text.rfind(by); at != std::string_view::npos) {
      const std::string_view rest = file.text.substr(at + by.size());
      all.emplace(rest.substr(0, rest.find('\n')));
    }
  std::string text;
  for (const std::string& who : all) text += (text.empty() ? "" : "; ") + who;
  return text;
}

namespace {

// Calls how(module, kernel, launch, memory, name) for what is asked.
template <typename How>
auto withCode(const Asked& asked, const How& how) {
  const ProgramFunction function = functionAt(asked.kernel);
  const std::string name = asked.name.empty() ? readable(function.name) : asked.name;
  try {
    const Code code = codeOf(function);
    LaunchOfCode launch;
    launch.grid = asked.grid;
    launch.block = asked.block;
    launch.dynamicShared = asked.dynamicShared;
    launch.multiprocessors = asked.multiprocessors;
    launch.cooperative = asked.cooperative;
    launch.parameters = parametersOf(*code.kernel, asked);
    Memory memory(
        [&](uint64_t address, uint8_t* page) { fillVariables(*code.file, address, page); });
    return how(*code.file->module, *code.kernel, launch, memory, name);
  } catch (const TooLong& problem) {
    throw TooLong(name + ": " + problem.what());
  } catch (const Unsupported& problem) {
    throw Unsupported(name + ": " + problem.what());
  }
}

// Tells of some of the blocks that are executed.
class OnlyOf : public Listener {
 public:
  OnlyOf(const std::vector<uint64_t>& blocks, Listener& next) : blocks_(blocks), next_(next) {}
  void blockBegins(uint64_t number, unsigned count) override {
    is_ = std::ranges::binary_search(blocks_, number);
    if (is_) next_.blockBegins(number, count);
  }
  void executed(unsigned warp, const Step& step) override {
    if (is_) next_.executed(warp, step);
  }
  void passedBy(unsigned warp, const Function& function, const BasicBlock& block) override {
    if (is_) next_.passedBy(warp, function, block);
  }
  void blockEnds() override {
    if (is_) next_.blockEnds();
  }

 private:
  const std::vector<uint64_t>& blocks_;
  Listener& next_;
  bool is_ = false;
};

// Whether what a block does hangs on what others have put somewhere first, as in a table that
// fills: they exchange values where they find the expected ones, or smaller or larger ones.
bool hangsOnOthers(const Function& kernel) {
  const Uses uses(kernel);
  return std::ranges::any_of(kernel.blocks, [&](const BasicBlock& block) {
    return std::ranges::any_of(block.code, [&](const Instruction& i) {
      if (i.op != Op::atom || i.space == Space::shared || i.to.empty()) return false;
      const bool isExchanged = i.mode == modes::exch && !uses.all[i.to[0].reg].readers.empty();
      return isExchanged || i.mode == modes::cas || i.mode == modes::min || i.mode == modes::max;
    });
  });
}

// Of a launch whose warps execute no more than this, all blocks are then executed in their order.
constexpr uint64_t mostInOrder = 12'000'000;

}  // namespace

Launch listed(const Asked& asked, const std::vector<uint64_t>& blocks, uint64_t mostInstructions,
              std::string* ptx) {
  const auto list = [&](bool inOrder, uint64_t most) {
    return withCode(asked,
                    [&](const Module& module, const Function& kernel, const LaunchOfCode& launch,
                        Memory& memory, const std::string& name) -> std::optional<Launch> {
                      if (inOrder && !hangsOnOthers(kernel)) return {};
                      std::vector<uint64_t> all(inOrder ? launch.grid.all() : 0);
                      std::iota(all.begin(), all.end(), uint64_t(0));
                      Feed feed(module, kernel, launch, name, asked.arrays);
                      Listing listing(module, feed);
                      Listener& each = ptx ? static_cast<Listener&>(listing) : feed;
                      OnlyOf some(blocks, each);
                      execute(module, kernel, launch, inOrder ? all : blocks, memory,
                              inOrder ? some : each, most);
                      if (ptx) *ptx = listing.text();
                      return feed.take();
                    });
  };
  if (asked.grid.all() > blocks.size() && asked.grid.all() < mostInOrder) try {
      if (std::optional<Launch> launch = list(true, std::min(mostInOrder, mostInstructions)))
        return std::move(*launch);
    } catch (const TooLong&) {  // then these alone
    }
  return std::move(*list(false, mostInstructions));
}

// Has the listener told of what execute() or executeFirst() runs of these blocks.
static void run(decltype(execute)& how, const Asked& asked, const std::vector<uint64_t>& blocks,
                Listener& listener, uint64_t most) {
  withCode(asked, [&](const Module& module, const Function& kernel, const LaunchOfCode& launch,
                      Memory& memory, const std::string&) {
    how(module, kernel, launch, blocks, memory, listener, most);
  });
}

std::vector<BlockWork> workOfBlocks(const Asked& asked, const std::vector<uint64_t>& blocks,
                                    uint64_t mostInstructions) {
  WorkCounter counter;
  run(execute, asked, blocks, counter, mostInstructions);
  return std::move(counter.all);
}

std::vector<uint64_t> furthestToGo(const Asked& asked, const std::vector<uint64_t>& blocks,
                                   uint64_t instructionsOfWarp) {
  FurthestApart furthest;
  run(executeFirst, asked, blocks, furthest, instructionsOfWarp);
  return furthest.blocks();
}

}  // namespace estimate::gpu_code
