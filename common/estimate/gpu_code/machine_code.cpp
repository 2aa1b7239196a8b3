#include "estimate/gpu_code/machine_code.h"

#include <charconv>

namespace estimate::gpu_code {

bool isByTable(uint32_t code) { return code == codes::branchByTable || code == codes::jumpByTable; }
bool isEnd(uint32_t code) {
  return code == codes::branch || code == codes::leave || code == codes::comeBack ||
         isByTable(code);
}
bool isCall(uint32_t code) { return code == codes::callRelative || code == codes::callAbsolute; }
bool isAmong(uint32_t code, std::initializer_list<uint32_t> all) {
  return std::ranges::find(all, code & 0x1ff) != all.end();
}
bool staysWhole(uint32_t code) {
  return isAmong(code, {0x181, 0x186, 0x184, 0x188, 0x183, 0x187, 0x11d, 0x189, 0x1a8,
                        0x1a3, 0x1a9, 0x18e, 0x18c, 0x18d, 0x006, 0x023, 0x021, 0x020,
                        0x02b, 0x029, 0x028, 0x031, 0x030, 0x032, 0x108, 0x009});
}
bool staysWhole(const Instruction& i) {
  if (isAnyOf(i.op, {Op::ld, Op::st})) return i.space != Space::param;
  if (i.op == Op::rsqrt) return i.type != Type::f64;  // that is steps of Newton's
  return isAnyOf(i.op, {Op::atom, Op::red, Op::bar, Op::shfl, Op::vote, Op::ex2}) ||
         (isFloat(i.type) && isAnyOf(i.op, {Op::fma, Op::add, Op::sub, Op::mul, Op::max, Op::min}));
}
UnitCycles unitCyclesOf(uint32_t code) {
  if (isAmong(code,
              {0x010, 0x011, 0x012, 0x01c, 0x00c, 0x007, 0x00a, 0x00b, 0x008, 0x009, 0x013, 0x019,
               0x016, 0x017, 0x01a, 0x01b, 0x046, 0x048, 0x045, 0x03e, 0x002, 0x003, 0x004}))
    return {2, 0, 0};
  if (isAmong(code, {0x024, 0x036, 0x026})) return {0, 2, 0};
  if (isWideProduct(code)) return {0, wideProductCycles, 0};
  if (isAmong(code, {0x028, 0x029, 0x02b})) return {0, 0, 2};
  if (isAmong(code, {0x02a})) return {0, 0, doubleComparisonCycles};
  return {};
}
bool isWideProduct(uint32_t code) {
  return isAmong(code, {codes::wideProduct, codes::upperProduct});
}
bool isSpecial(uint32_t code) {
  return isAmong(code,
                 {0x108, 0x102, 0x105, 0x106, 0x104, 0x109, 0x100, 0x101, 0x110, 0x111, 0x112});
}

namespace {

std::vector<MachineInstruction> readCode(std::string_view words) {
  std::vector<MachineInstruction> all;
  const char *at = words.data(), *const end = at + words.size();
  while (at < end && *at == ' ') {
    MachineInstruction one;
    at = std::from_chars(at + 1, end, one.code, 16).ptr;
    if (at == end || (*at != 'u' && *at != 'p' && *at != 'v')) break;
    one.isPredicated = *at != 'u', one.isOfParted = *at == 'v';
    at = std::from_chars(at + 1, end, one.line).ptr;
    if (at < end && *at == '+') at = std::from_chars(at + 1, end, one.further).ptr;
    if (at < end && *at == '#') at = std::from_chars(at + 1, end, one.step).ptr;
    if (at < end && *at == ':') {
      uint32_t both = 0;
      at = std::from_chars(at + 1, end, both, 16).ptr;
      one.signals = both & 7, one.waits = both >> 3 & 63;
      one.stall = both >> 9 & 15, one.yields = both >> 13 & 1;
      one.reads = {uint8_t(both >> 14 & 3), uint8_t(both >> 16 & 3)};
    }
    all.push_back(one);
  }
  return all;
}

}  // namespace

MachineCode machineCodeOf(const std::string& function, std::string_view file) {
  const std::string mark = "\n//assembled " + function + ' ';
  const size_t found = file.find(mark);
  if (found == std::string_view::npos) return {};
  std::string_view line = file.substr(found + mark.size());
  line = line.substr(0, line.find('\n'));
  const size_t space = std::min(line.find(' '), line.size());
  MachineCode machine;
  std::from_chars(line.data(), line.data() + space, machine.registers);
  machine.code = readCode(line.substr(space));
  return machine;
}

void findPtx(Function& f, std::string_view file, std::vector<MachineInstruction>& code) {
  struct Place {
    Instruction* instruction;
    uint32_t block;
  };
  std::map<const char*, Place> places;
  for (uint32_t b = 0; b < f.blocks.size(); ++b)
    for (Instruction& i : f.blocks[b].code)
      if (!i.text.empty()) places[i.text.data()] = {&i, b};
  std::map<uint32_t, Place> ofLines;
  uint32_t line = 1;
  const char* at = file.data();
  for (const auto& [text, place] : places) {
    line += uint32_t(std::count(at, text, '\n'));
    at = text;
    ofLines.try_emplace(line, place);
  }
  for (MachineInstruction& one : code)
    if (const auto known = ofLines.find(one.line); known != ofLines.end())
      one.of = known->second.instruction, one.block = known->second.block;
}

}  // namespace estimate::gpu_code
