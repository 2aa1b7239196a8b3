#include "estimate/instructions_disassembly.h"

#include <dlfcn.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <set>
#include <unordered_map>
#include <vector>

#include "base/errors.h"

namespace estimate {
namespace {

std::string outputOf(const std::string& command) {
  FILE* const pipe = popen(command.c_str(), "r");
  if (!pipe) return "";
  std::string text;
  std::vector<char> buffer(1 << 16);  // the stack may be small
  while (const size_t got = std::fread(buffer.data(), 1, buffer.size(), pipe))
    text.append(buffer.data(), got);
  pclose(pipe);
  return text;
}

uint64_t hexadecimal(std::string_view text) {
  uint64_t value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value, 16);
  return value;
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\n')) text.remove_suffix(1);
  return text;
}

// At the commas that are not inside brackets.
std::vector<std::string> splitOperands(std::string_view text) {
  std::vector<std::string> operands;
  size_t begin = 0;
  int depth = 0;
  for (size_t i = 0; i <= text.size(); ++i) {
    if (i < text.size() && text[i] == '(') ++depth;
    if (i < text.size() && text[i] == ')') --depth;
    if (i < text.size() && (text[i] != ',' || depth > 0)) continue;
    const std::string_view operand = trimmed(text.substr(begin, i - begin));
    if (!operand.empty()) operands.emplace_back(operand);
    begin = i + 1;
  }
  return operands;
}

// "  18a18:\tmov    0xf9f4a(%rip),%eax        # 112968 <blockIdx>"
bool readInstruction(std::string_view line, MachineInstruction& instruction) {
  const size_t colon = line.find(":\t");
  if (colon == std::string_view::npos) return false;
  instruction.address = hexadecimal(trimmed(line.substr(0, colon)));
  std::string_view rest = line.substr(colon + 2);
  if (const size_t hash = rest.find('#'); hash != std::string_view::npos) {
    instruction.comment = trimmed(rest.substr(hash + 1));
    rest = rest.substr(0, hash);
  }
  rest = trimmed(rest);
  const size_t space = rest.find(' ');
  instruction.name = rest.substr(0, space);
  if (space == std::string_view::npos) return true;
  const std::string_view operands = trimmed(rest.substr(space));
  if (instruction.isCall() || instruction.isJump()) {
    instruction.target = hexadecimal(operands);
    if (const size_t name = operands.find('<'); name != std::string_view::npos)
      instruction.comment = operands.substr(name);
  } else {
    instruction.operands = splitOperands(operands);
  }
  return true;
}

bool reportsBounds(const MachineInstruction& m) {
  return m.isCall() && m.comment.starts_with("<__ubsan_handle_out_of_bounds");
}

// What a call that reports stands among: its arguments, and the block's own entry in the trace.
bool preparesReport(const MachineInstruction& m) {
  return m.name.starts_with("mov") || m.name == "lea" ||
         (m.isCall() && m.comment.starts_with("<__sanitizer_cov_trace_pc"));
}

// The jump of a check, and the comparison that it depends on.
void markCheck(std::vector<MachineInstruction>& code, size_t jump) {
  code[jump].checksBounds = true;
  size_t i = jump;
  while (i > 0 && (code[i - 1].name.starts_with("mov") || code[i - 1].name == "lea")) --i;
  if (i > 0 && (code[i - 1].name.starts_with("cmp") || code[i - 1].name.starts_with("test")))
    code[i - 1].checksBounds = true;
}

struct Section {
  uint64_t begin, end;
};

// Places that lie close together are read together. A function begins before its first place, with
// what the loops behind it depend on, and goes on behind its last one. Where the reading begins in
// the middle of an instruction, it is in step again at the next function at the latest.
std::vector<Section> sectionsOf(std::vector<uint64_t> places) {
  constexpr uint64_t gap = 1 << 15, before = 1 << 14, behind = 1 << 12;
  std::ranges::sort(places);
  std::vector<Section> sections;
  for (const uint64_t place : places) {
    if (sections.empty() || place > sections.back().end + gap)
      sections.push_back({place - std::min(place, before), place + behind});
    else
      sections.back().end = std::max(sections.back().end, place + behind);
  }
  return sections;
}

}  // namespace

uint64_t Disassembly::inFile(const void* place) {
  thread_local std::unordered_map<const void*, uint64_t> known;  // looking it up takes long
  const auto [address, isNew] = known.try_emplace(place, 0);
  Dl_info info{};
  if (isNew && dladdr(place, &info) && info.dli_fbase)
    address->second =
        uint64_t(static_cast<const char*>(place) - static_cast<const char*>(info.dli_fbase));
  return address->second;
}

Disassembly::Disassembly(std::string_view text) { read(text); }

Disassembly::Disassembly(const std::vector<const void*>& places) {
  std::vector<uint64_t> addresses;
  for (const void* place : places)
    if (const uint64_t address = inFile(place)) addresses.push_back(address);
  const std::string program = "/proc/" + std::to_string(getpid()) + "/exe";
  for (const Section& section : sectionsOf(addresses)) {
    char range[96];
    std::snprintf(range, sizeof range, "--start-address=0x%llx --stop-address=0x%llx ",
                  static_cast<unsigned long long>(section.begin),
                  static_cast<unsigned long long>(section.end));
    const std::string text =
        outputOf(std::string("objdump -d --no-show-raw-insn ") + range + program + " 2>/dev/null");
    if (text.empty())
      throw Error(exitUsage,
                  "an estimate needs objdump, which reads the program's machine code: install "
                  "binutils, or use --no-estimate");
    read(text);
  }
}

void Disassembly::read(std::string_view text) {
  uint32_t function = instructions_.empty() ? 0 : instructions_.back().function + 1;
  const size_t first = instructions_.size();
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.ends_with(">:")) ++function;
    MachineInstruction instruction;
    if (!readInstruction(line, instruction)) continue;
    instruction.function = function;
    index_[instruction.address] = long(instructions_.size());
    instructions_.push_back(std::move(instruction));
  }
  markBoundsChecks(first);
}

// A check compares, and jumps to a call that reports the fault, which mostly stands behind the
// function's return and jumps back:
//     cmp $0x3ff,%r13 / ja report / ... / report: mov %r13,%rsi / call __ubsan_handle_... / jmp
// Some jump over the call instead.
void Disassembly::markBoundsChecks(size_t first) {
  std::set<uint64_t> reports;
  for (size_t call = first; call < instructions_.size(); ++call) {
    if (!reportsBounds(instructions_[call])) continue;
    size_t begin = call, end = call + 1;
    while (begin > first && preparesReport(instructions_[begin - 1])) --begin;
    const uint64_t over = begin > first && instructions_[begin - 1].isConditional()
                              ? instructions_[begin - 1].target
                              : 0;
    const bool isJumpedOver = over > instructions_[call].address;
    if (over != 0) markCheck(instructions_, begin - 1);
    if (over != 0 && !isJumpedOver) {  // who passes the check begins the loop's next turn
      instructions_[begin - 1].checksBounds = false;
      instructions_[begin - 1].name = "jmp";
    }
    const size_t most =
        std::min(instructions_.size(), isJumpedOver ? size_t(indexAt(over)) : size_t(-1));
    while (end < most && preparesReport(instructions_[end])) ++end;
    if (end < most && instructions_[end].name == "jmp") ++end;
    for (size_t i = begin; i < end; ++i) {
      instructions_[i].checksBounds = true;
      reports.insert(instructions_[i].address);
    }
  }
  for (size_t i = first; i < instructions_.size(); ++i)
    if (instructions_[i].isConditional() && reports.contains(instructions_[i].target))
      markCheck(instructions_, i);
}

long Disassembly::indexAt(uint64_t address) const {
  auto it = index_.upper_bound(address);
  if (it == index_.begin()) return -1;
  --it;
  constexpr uint64_t longest = 15;  // bytes of an instruction
  return address - it->first < longest ? it->second : -1;
}

std::string registerOf(std::string_view operand) {
  if (!operand.starts_with('%') || operand.find(':') != std::string_view::npos) return "";
  operand.remove_prefix(1);
  if (operand.size() > 1 && operand[0] == 'r' && operand[1] >= '0' && operand[1] <= '9') {
    const char last = operand.back();
    if (last == 'd' || last == 'w' || last == 'b') operand.remove_suffix(1);
    return std::string(operand);
  }
  if (operand.size() == 3 && (operand[0] == 'r' || operand[0] == 'e')) operand.remove_prefix(1);
  if (operand.size() == 2 && operand[1] == 'l' && operand[0] >= 'a' && operand[0] <= 'd')
    return std::string{operand[0], 'x'};
  return std::string(operand);
}

bool isMemory(std::string_view operand) {
  return operand.find('(') != std::string_view::npos || operand.starts_with("%fs:");
}

bool is64Bit(const MachineInstruction& instruction) {
  for (const std::string& operand : instruction.operands) {
    if (isMemory(operand) || !operand.starts_with("%r")) continue;
    const char last = operand.back();
    const bool numbered = operand[2] >= '0' && operand[2] <= '9';
    if (!numbered || (last != 'd' && last != 'w' && last != 'b')) return true;
  }
  const bool isInteger = instruction.name.size() > 3 && instruction.name.back() == 'q';
  return isInteger && !instruction.name.starts_with("cvt");
}

}  // namespace estimate
