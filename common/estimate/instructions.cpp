#include "estimate/instructions.h"

#include <algorithm>

#include "estimate/instructions_operands.h"

namespace estimate {
namespace {

// Threads that part at a branch are put together again behind it, by two instructions.
constexpr float partingCost = 2;
// nvcc predicates fewer instructions than this, with fewer accesses to global memory than this: in
// its code for compute capability 9.0, a load from global memory or a step of a tree in shared
// memory has a predicate, and a step of a tree in global memory is branched over.
constexpr float fewInstructions = 8;
constexpr unsigned fewGlobalAccesses = 2;

// What has a predicate stands 13 cycles behind the comparison in nvcc's code, what follows a branch
// five more.
constexpr float predicateOfBranch = 13.0f / 18;

std::vector<uint64_t> inFile(const std::vector<const void*>& places) {
  std::vector<uint64_t> addresses;
  for (const void* place : places) addresses.push_back(Disassembly::inFile(place));
  return addresses;
}

}  // namespace

Instructions::Instructions(const std::vector<const void*>& places,
                           const std::vector<const void*>& globalAccesses)
    : Instructions(std::make_unique<Disassembly>(places), inFile(places), inFile(globalAccesses)) {}

Instructions::Instructions(std::unique_ptr<Disassembly> disassembly,
                           const std::vector<uint64_t>& places,
                           const std::vector<uint64_t>& globalAccesses)
    : code_(std::move(disassembly)),
      loops_(std::make_unique<Loops>(code_->instructions(), *code_)),
      places_(places.begin(), places.end()),
      globalAccesses_(globalAccesses.begin(), globalAccesses.end()) {
  for (const uint64_t place : places_) {
    costs_[place] = costBehind(place);
    costs_[place].addresses = addressesFrom(place);
    around_[place] = &loops_->around(code_->indexAt(place));
  }
}

const CodeCost& Instructions::behind(const void* place) const {
  return behind(Disassembly::inFile(place));
}

const CodeCost& Instructions::behind(uint64_t place) const {
  static const CodeCost none;
  const auto it = costs_.find(place);
  return it == costs_.end() ? none : it->second;
}

const Loop& Instructions::loopAround(uint64_t place) const {
  const auto it = around_.find(place);
  return it == around_.end() ? loops_->around(code_->indexAt(place)) : *it->second;
}

CodeCost Instructions::costBehind(uint64_t place) const {
  const auto& code = code_->instructions();
  CodeCost cost;
  Weigher weigher(code, *loops_);
  long branch = -1;
  constexpr unsigned most = 400;
  unsigned seen = 0;
  for (long i = code_->indexAt(place); i >= 0 && i < long(code.size()) && seen < most; ++seen) {
    const MachineInstruction& m = code[size_t(i)];
    if (m.checksBounds) {
      ++i;
      continue;
    }
    if (m.isCall() && (isInstrumentation(m) || isExecutor(m))) {
      weigher.forgetArguments(m);
      const uint64_t next = i + 1 < long(code.size()) ? code[size_t(i + 1)].address : 0;
      if (globalAccesses_.contains(next)) weigher.widenAddress();
      // A thread's own variables are no steps of the trace.
      const bool isStep = places_.contains(next) || places_.contains(next + 1);
      if (isStep || !m.comment.starts_with("<__tsan_")) break;
    }
    weigher.add(i);
    if (m.name.starts_with("ret")) break;
    if (m.isConditional()) branch = i;
    // Who jumps back mostly does; what stands behind the loop comes once.
    const bool isTaken = m.name == "jmp" || (m.isConditional() && m.target <= m.address);
    i = isTaken ? code_->indexAt(m.target) : i + 1;
  }
  cost.count = weigher.count();
  cost.floats = weigher.floats();
  cost.special = weigher.special();
  cost.branches = cost.control = weigher.branches();
  if (branch >= 0) addBranch(branch, cost);
  cost.chain = std::min(weigher.chain(), cost.count);
  return cost;
}

namespace {

// Registers and places on the stack that hold what a load has brought, or what was computed from
// it.
class Loaded {
 public:
  void follow(const MachineInstruction& m) {
    if (m.operands.empty() || startsWith(m.name, {"cmp", "test", "ucomis", "comis", "push"}))
      return;
    const std::string to = placeOf(m.operands.back());
    const bool overwrites = startsWith(m.name, {"mov", "lea", "cvt"}) || m.operands.size() == 3;
    bool uses = false;
    for (const std::string& operand : m.operands) {
      const bool isResult = &operand == &m.operands.back();
      const std::string place = placeOf(operand);
      if (!place.empty()) {
        uses = uses || ((!isResult || !overwrites) && places_.contains(place));
      } else if (m.name == "lea") {
        const Parts parts = partsOf(operand);
        uses = uses || places_.contains(parts.base) || places_.contains(parts.index);
      } else if (isMemory(operand) && !isResult && !hasBegun_) {
        uses = hasBegun_ = true;  // the load itself
      }
    }
    if (to.empty()) return;
    const bool clears = m.name == "xor" && m.operands[0] == m.operands.back();
    if (uses && !clears)
      places_.insert(to);
    else if (overwrites || clears)
      places_.erase(to);
  }
  // A call leaves what it need not keep as something else.
  void call() {
    for (const char* place : {"ax", "cx", "dx", "si", "di", "r8", "r9", "r10", "r11"})
      places_.erase(place);
  }
  bool holds(const std::string& place) const { return places_.contains(place); }
  bool isNowhere() const { return hasBegun_ && places_.empty(); }

 private:
  std::set<std::string> places_;
  bool hasBegun_ = false;
};

}  // namespace

// On the way that code mostly goes, until it comes to the load again.
std::set<uint64_t> Instructions::addressesFrom(uint64_t place) const {
  const auto& code = code_->instructions();
  std::set<uint64_t> addresses;
  long i = code_->indexAt(place);
  const bool isLoad =
      i > 0 && code[size_t(i - 1)].isCall() &&
      startsWith(code[size_t(i - 1)].comment, {"<__tsan_read", "<__tsan_unaligned_read"});
  if (!isLoad) return addresses;
  Loaded loaded;
  constexpr unsigned most = 300;
  for (unsigned seen = 0; seen < most && i >= 0 && i < long(code.size()); ++seen) {
    const MachineInstruction& m = code[size_t(i)];
    if (m.name.starts_with("ret") || loaded.isNowhere()) break;
    if (m.isCall() && !m.checksBounds) {
      const uint64_t next = i + 1 < long(code.size()) ? code[size_t(i + 1)].address : 0;
      if (isInstrumentation(m) && places_.contains(next) && loaded.holds("di"))
        addresses.insert(next);
      if (next == place) break;
      loaded.call();
    } else if (!m.checksBounds && !m.isJump()) {
      loaded.follow(m);
    }
    const bool isTaken =
        !m.checksBounds && (m.name == "jmp" || (m.isConditional() && m.target <= m.address));
    i = isTaken ? code_->indexAt(m.target) : i + 1;
  }
  return addresses;
}

// What a branch forward skips, when it is short and straight, is predicated.
void Instructions::addBranch(long place, CodeCost& cost) const {
  const auto& code = code_->instructions();
  const MachineInstruction& branch = code[size_t(place)];
  if (branch.target <= branch.address) return;
  Weigher weigher(code, *loops_);
  unsigned loads = 0, stores = 0, global = 0;
  uint64_t body = 0;
  bool isShort = true;
  for (long i = place + 1; i < long(code.size()) && isShort; ++i) {
    const MachineInstruction& m = code[size_t(i)];
    if (m.address >= branch.target) break;
    if (m.checksBounds) continue;
    if (m.isCall() && isInstrumentation(m)) {
      const uint64_t next = i + 1 < long(code.size()) ? code[size_t(i + 1)].address : 0;
      if (body == 0) body = next;
      loads +=
          m.comment.starts_with("<__tsan_read") || m.comment.starts_with("<__tsan_unaligned_read");
      stores += m.comment.starts_with("<__tsan_write") ||
                m.comment.starts_with("<__tsan_unaligned_write");
      global += globalAccesses_.contains(next);
      weigher.forgetArguments(m);
    } else {
      isShort = !m.isCall() && !m.isJump();
    }
    weigher.add(i);
    isShort = isShort && weigher.count() + float(loads + stores) < fewInstructions &&
              global < fewGlobalAccesses;
  }
  if (!isShort || body == 0) {
    cost.count += partingCost;
    cost.control += partingCost;
    cost.branches += 1;  // whoever is put together with others waits, too
    return;
  }
  cost.predicated = body;
  cost.skipped = weigher.count();
  cost.skippedChain = std::min(weigher.chain(), cost.skipped);
  cost.skippedLoads = loads;
  cost.skippedStores = stores;
  cost.count -= 1;  // no branch, but the wait for the predicate
  cost.branches = std::max(0.0f, cost.branches - 1 + predicateOfBranch);
  cost.control = std::max(0.0f, cost.control - 1);
}

}  // namespace estimate
