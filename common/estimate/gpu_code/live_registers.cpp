#include "estimate/gpu_code/live_registers.h"

#include <algorithm>

#include "estimate/gpu_code/costs_state.h"

namespace estimate::gpu_code {
namespace {

// An integer of a register and constants: ptxas makes it again where it has no register to keep it.
bool isMadeOfOne(const Instruction& i) {
  return isAnyOf(i.op,
                 {Op::add, Op::sub, Op::or_, Op::and_, Op::xor_, Op::shl, Op::shr, Op::cvt}) &&
         !isFloat(i.type) && !isFloat(i.from) && std::ranges::count_if(i.from_, isRegister) == 1;
}

// Of each.
void keepOne(std::vector<uint32_t>& registers) {
  std::sort(registers.begin(), registers.end());
  registers.erase(std::unique(registers.begin(), registers.end()), registers.end());
}

bool isConstant(const Instruction& i) {
  return (i.op == Op::ld && (i.space == Space::param || i.isUniform)) ||
         (i.op == Op::mov && std::ranges::none_of(i.from_, isRegister));
}

}  // namespace

LiveRegisters::LiveRegisters(const Function& f, bool areMadeAgain)
    : f_(f),
      areMadeAgain_(areMadeAgain),
      words_(f.registers.size()),
      hasOneWriter_(f.registers.size()),
      through_(f.registers.size()),
      behind_(f.blocks.size()) {
  findWords();
  std::vector<std::vector<uint32_t>> before(f.blocks.size());
  std::vector<uint32_t> left;  // blocks in front of which others may be live than was known
  for (uint32_t b = 0; b < f.blocks.size(); ++b) {
    behind_[b].assign(f.registers.size(), false);
    left.push_back(b);
    for (const uint32_t next : f.blocks[b].next) before[next].push_back(b);
  }
  while (!left.empty()) {
    const std::vector<bool> live = inFrontOf(left.back());
    const std::vector<uint32_t>& others = before[left.back()];
    left.pop_back();
    for (const uint32_t b : others) {
      bool changes = false;
      for (size_t r = 0; r < live.size(); ++r)
        if (live[r] && !behind_[b][r]) behind_[b][r] = changes = true;
      if (changes && std::ranges::find(left, b) == left.end()) left.push_back(b);
    }
  }
}

// It is no instruction, but a part of those that read what it makes.
bool LiveRegisters::isPartOfReaders(const Instruction& i) const {
  return !i.isMemory() && (i.cost.count == 0 || (areMadeAgain_ && isMadeOfOne(i)));
}

void LiveRegisters::findWords() {
  const Uses uses(f_);
  std::vector<bool> isKnown(words_.size(), false);
  const auto find = [&](const auto& self, uint32_t reg) -> void {
    if (isKnown[reg]) return;
    isKnown[reg] = true;
    const auto& writers = uses.all[reg].writers;
    const bool isOne = hasOneWriter_[reg] = writers.size() == 1;
    if (f_.registers[reg].bytes == 0 || writers.empty() || (isOne && isConstant(*writers[0])))
      return;
    if (!isOne || !isPartOfReaders(*writers[0])) {
      words_[reg] = f_.registers[reg].bytes == 8 ? 2 : 1;
      through_[reg] = {reg};
      return;
    }
    for (const Operand& o : writers[0]->from_)
      if (isRegister(o)) {
        self(self, o.reg);
        through_[reg].insert(through_[reg].end(), through_[o.reg].begin(), through_[o.reg].end());
      }
    keepOne(through_[reg]);
  };
  for (uint32_t r = 0; r < words_.size(); ++r) find(find, r);
}

std::vector<uint32_t> LiveRegisters::readBy(const Instruction& i) const {
  std::vector<uint32_t> read;
  if (isPartOfReaders(i) && i.to.size() == 1 && wordsOf(i.to[0].reg) == 0) return read;
  const auto add = [&](const Operand& o) {
    if (isRegister(o)) read.insert(read.end(), through_[o.reg].begin(), through_[o.reg].end());
  };
  std::ranges::for_each(i.from_, add);
  add(i.guard);
  keepOne(read);
  return read;
}

std::vector<uint32_t> LiveRegisters::writtenBy(const Instruction& i) const {
  std::vector<uint32_t> written;
  for (const Operand& o : i.to)
    if (o.kind == Operand::Kind::reg && words_[o.reg] > 0) written.push_back(o.reg);
  return written;
}

std::vector<bool> LiveRegisters::inFrontOf(const BasicBlock& block, unsigned* most) const {
  std::vector<bool> live = behind_[size_t(&block - f_.blocks.data())];
  unsigned now = most ? wordsOf(live) : 0;
  if (most) *most = now;
  for (size_t k = block.code.size(); k-- > 0;) {
    const Instruction& i = block.code[k];
    for (const uint32_t reg : writtenBy(i))
      if (live[reg] && (i.guard.kind == Operand::Kind::none || hasOneWriter_[reg]))
        live[reg] = false, now -= words_[reg];
    for (const uint32_t reg : readBy(i))
      if (!live[reg]) live[reg] = true, now += words_[reg];
    if (most) *most = std::max(*most, now);
  }
  return live;
}

unsigned LiveRegisters::wordsOf(const std::vector<bool>& live) const {
  unsigned words = 0;
  for (uint32_t r = 0; r < live.size(); ++r) words += live[r] ? words_[r] : 0;
  return words;
}

unsigned LiveRegisters::mostIn(const BasicBlock& block) const {
  unsigned most = 0;
  inFrontOf(block, &most);
  unsigned loaded = 0;
  for (const Instruction& i : block.code)
    if (i.op == Op::ld && i.space != Space::param)
      for (const uint32_t reg : writtenBy(i)) loaded += words_[reg];
  return most + (block.turnsTogether - 1) * loaded;
}

unsigned neededRegisters(const Function& f) {
  const LiveRegisters live(f, true);
  unsigned needed = registersOfElse;
  for (const BasicBlock& block : f.blocks)
    needed = std::max(needed, live.mostIn(block) + registersOfElse);
  if (needed > registersOfMostWarps && needed <= registersOfMostWarps + registersAtATime)
    needed = registersOfMostWarps;
  return std::min(needed, mostRegistersOf(f.maxThreads * std::max(1u, f.minBlocks)));
}

RoomForLoads::RoomForLoads(const LiveRegisters& live, const BasicBlock& block, uint32_t number)
    : live_(live), isLive_(live.inFrontOf(number)), words_(live.wordsOf(isLive_)) {
  most_ = words_ + roomForLoads(words_);
  for (const bool isRead : live.behind(number)) readers_.push_back(isRead);
  for (const Instruction& i : block.code) {
    isLoad_.push_back(i.op == Op::ld && i.space != Space::param && !i.isUniform);
    loads_ += isLoad_.back();
    reads_.push_back(live.readBy(i));
    writes_.push_back(live.writtenBy(i));
    for (const uint32_t reg : reads_.back()) ++readers_[reg];
  }
  // What is read behind the block is what the block writes, where it does.
  for (const auto& written : writes_)
    for (const uint32_t reg : written)
      if (live.behind(number)[reg] && isReadBehind_.insert(reg).second) --readers_[reg];
}

bool RoomForLoads::allows(uint32_t k) const {
  int more = 0;
  for (const uint32_t reg : writes_[k]) more += isLive_[reg] ? 0 : int(live_.wordsOf(reg));
  for (const uint32_t reg : reads_[k])
    more -= readers_[reg] == 1 && isLive_[reg] ? int(live_.wordsOf(reg)) : 0;
  if (more <= 0 || words_ + unsigned(more) <= most_) return true;
  if (isLoad_[k]) return wordsOnTheirWay_ + unsigned(more) <= fewestForLoads;
  return loads_ > 0 && wordsOnTheirWay_ < fewestForLoads &&
         words_ + unsigned(more) <= most_ + fewestForLoads;
}

void RoomForLoads::take(uint32_t k) {
  loads_ -= isLoad_[k];
  for (const uint32_t reg : reads_[k]) {
    if (onTheirWay_.erase(reg) > 0) wordsOnTheirWay_ -= live_.wordsOf(reg);
    if (--readers_[reg] == 0 && isLive_[reg]) isLive_[reg] = false, words_ -= live_.wordsOf(reg);
  }
  for (const uint32_t reg : writes_[k]) {
    readers_[reg] += uint32_t(isReadBehind_.erase(reg));
    if (readers_[reg] > 0 && !isLive_[reg]) isLive_[reg] = true, words_ += live_.wordsOf(reg);
    if (isLoad_[k] && isLive_[reg] && onTheirWay_.insert(reg).second)
      wordsOnTheirWay_ += live_.wordsOf(reg);
  }
}

}  // namespace estimate::gpu_code
