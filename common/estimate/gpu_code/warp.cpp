#include "estimate/gpu_code/warp.h"

#include <algorithm>
#include <bit>

#include "estimate/gpu_code/lanes.h"
#include "estimate/gpu_code/reader.h"

namespace estimate::gpu_code {

uint64_t WarpContext::addressOf(const Operand& o) const {
  if (o.space == Space::global || o.space == Space::constant)
    return variablesBase + uint64_t(o.offset);
  if (o.space == Space::local) return frames.back().local + uint64_t(o.offset);
  return uint64_t(o.offset);
}

constexpr size_t mostFrames = 256;

void Warp::setSpecial(const char* name, auto&& value) {
  const auto known = std::ranges::find(specialRegisters, name);
  const Register& r = kernel_->registers[size_t(known - specialRegisters.begin())];
  for (uint32_t lane = 0; lane < 32; ++lane) {
    const uint64_t v = value(lane);
    std::memcpy(c_.frame + r.place + lane * r.bytes, &v, r.bytes);
  }
}

void Warp::begin(uint64_t blockNumber, unsigned number) {
  const Extent grid = c_.launch->grid, block = c_.launch->block;
  const auto threads = uint32_t(block.all());
  const uint32_t rest = threads - 32 * number;
  c_.number = number;
  c_.existing = rest >= 32 ? UINT32_MAX : (1u << rest) - 1;
  c_.gone = ~c_.existing;
  c_.state = WarpState::running;
  c_.frames.clear();
  c_.stack.clear();
  c_.parameters.clear();
  c_.local.clear();
  c_.localRoom = 0;
  enterFunction(*kernel_, nullptr, c_.existing);
  const auto rank = [&](uint32_t lane) { return 32 * number + lane; };
  const auto constant = [](uint64_t v) { return [v](uint32_t) { return v; }; };
  setSpecial("%tid.x", [&](uint32_t l) { return rank(l) % block.x; });
  setSpecial("%tid.y", [&](uint32_t l) { return rank(l) / block.x % block.y; });
  setSpecial("%tid.z", [&](uint32_t l) { return rank(l) / block.x / block.y; });
  setSpecial("%ntid.x", constant(block.x));
  setSpecial("%ntid.y", constant(block.y));
  setSpecial("%ntid.z", constant(block.z));
  setSpecial("%ctaid.x", constant(blockNumber % grid.x));
  setSpecial("%ctaid.y", constant(blockNumber / grid.x % grid.y));
  setSpecial("%ctaid.z", constant(blockNumber / grid.x / grid.y));
  setSpecial("%nctaid.x", constant(grid.x));
  setSpecial("%nctaid.y", constant(grid.y));
  setSpecial("%nctaid.z", constant(grid.z));
  setSpecial("%laneid", [](uint32_t l) { return l; });
  setSpecial("%warpid", constant(number));
  setSpecial("%smid", constant(blockNumber % c_.launch->multiprocessors));
  setSpecial("%nsmid", constant(c_.launch->multiprocessors));
  setSpecial("%lanemask_eq", [](uint32_t l) { return 1u << l; });
  setSpecial("%lanemask_lt", [](uint32_t l) { return (1u << l) - 1; });
  setSpecial("%lanemask_le", [](uint32_t l) { return uint32_t((2ull << l) - 1); });
  setSpecial("%lanemask_gt", [](uint32_t l) { return ~uint32_t((2ull << l) - 1); });
  setSpecial("%lanemask_ge", [](uint32_t l) { return ~((1u << l) - 1); });
  setSpecial("%dynamic_smem_size", constant(c_.launch->dynamicShared));
}

// The special registers come first in every frame, and are those of who calls.
void Warp::enterFunction(const Function& f, const Instruction* caller, uint32_t lanes) {
  if (!f.problem.empty()) throw Unsupported(f.problem);
  if (c_.frames.size() >= mostFrames) throw Unsupported("it calls itself too often");
  Frame frame;
  frame.function = &f;
  frame.caller = caller;
  frame.registers = c_.stack.size();
  frame.parameters = c_.parameters.size();
  frame.local = c_.localPerLane = uint32_t((c_.localPerLane * !c_.frames.empty() + 15) / 16 * 16);
  frame.paths.push_back({0, 0, lanes, UINT32_MAX});
  c_.stack.resize(frame.registers + (f.frameBytes + 63) / 64 * 64);
  if (caller)
    std::memcpy(c_.stack.data() + frame.registers, c_.stack.data() + c_.frames.back().registers,
                f.registers[specialRegisters.size() - 1].place + 256);
  c_.parameters.resize(frame.parameters + 32 * size_t(f.paramBytes));
  c_.localPerLane += f.localBytes;
  if (c_.localPerLane > c_.localRoom) {
    const size_t old = c_.localRoom, room = std::max<size_t>(2 * old, c_.localPerLane);
    std::vector<uint8_t> local(32 * room);
    for (size_t lane = 0; lane < 32; ++lane)
      std::copy_n(c_.local.begin() + long(lane * old), old, local.begin() + long(lane * room));
    c_.local = std::move(local);
    c_.localRoom = uint32_t(room);
  }
  c_.frames.push_back(std::move(frame));
  c_.frame = c_.stack.data() + c_.frames.back().registers;
}

// Whether a branch that some take and some do not is one around which lanes wait for each other.
bool Warp::parts(const Function& f, const BasicBlock& block, uint32_t lanes, uint32_t taken) {
  if (taken == 0 || taken == lanes) return false;
  if (block.meetsInLoop != none) return true;
  if (block.meets == none) return false;
  const auto& meeting = f.blocks[block.meets].code;
  return !(meeting.size() == 1 && meeting[0].op == Op::ret) &&
         std::ranges::none_of(block.next, [&](uint32_t n) { return f.blocks[n].isPredicated; });
}

// Lanes that return from the function that they are in.
void Warp::leave(uint32_t lanes) {
  for (Path& path : c_.frames.back().paths) path.lanes &= ~lanes;
}

// Lanes that leave a loop in which they would meet others: all meet behind it.
void Warp::leaveLoop(const Loop& loop, uint32_t lanes, uint32_t to) {
  std::vector<Path>& paths = c_.frames.back().paths;
  size_t at = paths.size() - 1;
  for (; paths[at].stop != none && loop.has[paths[at].stop]; --at) paths[at].lanes &= ~lanes;
  const Path before = paths[at];
  paths[at].lanes &= ~lanes;
  uint32_t stop = before.stop;
  if (loop.meets != none && loop.meets != stop) {
    stop = paths[at].stop = loop.meets;
    paths.insert(paths.begin() + long(at), {loop.meets, 0, before.lanes, before.stop});
  }
  if (to != stop) paths.push_back({to, 0, lanes, stop});
}

void Warp::branch(Path& path, const Instruction& i, uint32_t taken) {
  Frame& frame = c_.frames.back();
  const BasicBlock& block = frame.function->blocks[path.block];
  const uint32_t stays = path.lanes & ~taken;
  const uint32_t other = path.block + 1;
  const auto go = [&](Path& p, uint32_t to) { p.block = to, p.at = 0; };
  // What nobody of the warp enters may be issued all the same; before it may be what is left of a
  // jump over it.
  const auto passed = [&](uint32_t to) {
    while (to + 1 < frame.function->blocks.size() && frame.function->blocks[to].code.empty() &&
           block.meets != to)
      ++to;
    if (to < frame.function->blocks.size() && frame.function->blocks[to].isPredicated &&
        block.meets != to)
      listener_.passedBy(c_.number, *frame.function, frame.function->blocks[to]);
  };
  for (size_t side = 0; side < 2 && path.stop != none; ++side) {
    const uint32_t lanes = side == 0 ? taken : stays, left = block.leaves[side];
    if (lanes == 0 || left == none || !frame.function->loops[left].has[path.stop]) continue;
    go(path, side == 0 ? other : i.targets[0]);
    return leaveLoop(frame.function->loops[left], lanes, side == 0 ? i.targets[0] : other);
  }
  const bool hasGuard = i.guard.kind != Operand::Kind::none;
  if (stays == 0) {
    if (hasGuard) passed(other);
    return go(path, i.targets[0]);
  }
  if (taken == 0) {
    if (hasGuard) passed(i.targets[0]);
    return go(path, other);
  }
  const uint32_t meets = block.meetsInLoop != none ? block.meetsInLoop : block.meets;
  const uint32_t target = i.targets[0], stop = path.stop;
  if (meets == UINT32_MAX) {  // some leave, or never meet
    path.lanes = stays;
    go(path, other);
    frame.paths.push_back({target, 0, taken, stop});
    return;
  }
  path.block = meets, path.at = 0;  // where all go on together
  if (other != meets) frame.paths.push_back({other, 0, stays, meets});
  if (target != meets) frame.paths.push_back({target, 0, taken, meets});
}

void Warp::call(const Instruction& i, uint32_t lanes) {
  const auto found = c_.module->functions.find(i.name);
  if (found == c_.module->functions.end())
    throw Unsupported(i.name == "waitForAllBlocks" ? "it waits for all blocks of the grid"
                                                   : "it calls " + i.name);
  const Function& f = found->second;
  const Frame caller = c_.frames.back();
  enterFunction(f, &i, lanes);
  const Frame& frame = c_.frames.back();
  for (size_t p = 0; p < f.parameters.size() && p < i.from_.size(); ++p)
    for (unsigned lane = 0; lane < 32; ++lane)
      std::memcpy(
          c_.parameters.data() + frame.parameters + f.paramBytes * lane + f.parameters[p].place,
          c_.parameters.data() + caller.parameters + caller.function->paramBytes * lane +
              size_t(i.from_[p].offset),
          f.parameters[p].bytes);
}

void Warp::run(uint64_t& budget) {
  while (c_.state == WarpState::running) {
    Frame& frame = c_.frames.back();
    Path& path = frame.paths.back();
    const Function& f = *frame.function;
    if (path.lanes == 0 || (path.block == path.stop && path.at == 0)) {
      frame.paths.pop_back();
      if (!frame.paths.empty()) continue;
      const Instruction* const caller = frame.caller;
      if (!caller) {
        c_.state = WarpState::finished;
        return;
      }
      const Frame callee = frame;
      c_.frames.pop_back();
      Frame& back = c_.frames.back();
      for (size_t r = 0; r < callee.function->results.size() && r < caller->to.size(); ++r)
        for (unsigned lane = 0; lane < 32; ++lane)
          std::memcpy(c_.parameters.data() + back.parameters + back.function->paramBytes * lane +
                          size_t(caller->to[r].offset),
                      c_.parameters.data() + callee.parameters +
                          callee.function->paramBytes * lane + callee.function->results[r].place,
                      callee.function->results[r].bytes);
      c_.stack.resize(callee.registers);
      c_.parameters.resize(callee.parameters);
      c_.localPerLane = uint32_t(callee.local);
      c_.frame = c_.stack.data() + back.registers;
      ++back.paths.back().at;
      continue;
    }
    const BasicBlock& block = f.blocks[path.block];
    if (path.at >= block.code.size()) {
      if (path.block + 1 >= f.blocks.size()) {
        leave(path.lanes);
        continue;
      }
      ++path.block, path.at = 0;
      continue;
    }
    const Instruction& i = block.code[path.at];
    if (budget == 0) return;
    --budget;
    uint32_t lanes = path.lanes;
    if (i.guard.kind != Operand::Kind::none) lanes &= c_.predicate(i.guard);
    switch (i.op) {
      case Op::bra:
        tell(block, i, path.lanes, {}, lanes != 0, parts(f, block, path.lanes, lanes));
        branch(path, i, lanes);
        continue;
      case Op::brx: {
        tell(block, i, path.lanes, {}, true);
        const uint32_t* which = c_.from<uint32_t>(i.from_[0], 0);
        const uint32_t meets = block.meets, all = path.lanes, stop = path.stop;
        path.block = meets, path.at = 0;
        if (meets == UINT32_MAX) path.lanes = 0;
        const uint32_t until = meets == UINT32_MAX ? stop : meets;
        for (uint32_t left = all; left != 0;) {
          const uint32_t target = which[std::countr_zero(left)];
          uint32_t group = 0;
          for (uint32_t l = left; l != 0; l &= l - 1)
            if (which[std::countr_zero(l)] == target) group |= 1u << std::countr_zero(l);
          left &= ~group;
          const uint32_t to = i.targets.at(std::min<size_t>(target, i.targets.size() - 1));
          if (to != until) frame.paths.push_back({to, 0, group, until});
        }
        continue;
      }
      case Op::ret:
      case Op::exit:
        tell(block, i, path.lanes);
        if (i.op == Op::exit || c_.frames.size() == 1) {
          c_.gone |= lanes;
          for (Frame& each : c_.frames)
            for (Path& p : each.paths) p.lanes &= ~lanes;
        } else {
          leave(lanes);
        }
        ++path.at;
        continue;
      case Op::call:
        tell(block, i, lanes);
        if (i.run) {
          i.run(c_, i, lanes);
          ++path.at;
        } else if (lanes != 0) {
          call(i, lanes);
        } else {
          ++path.at;
        }
        continue;
      default: break;
    }
    const LongWay longWay = hasLongWay(i) ? longWayOf(c_, i, lanes) : LongWay();
    const bool isGeneric = i.space == Space::generic && i.isMemory();
    do {  // of generic addresses those in one space at a time
      const uint32_t now = isGeneric ? inOneSpace(c_, i, lanes) : lanes;
      if (now != 0) i.run(c_, i, now);
      tell(block, i, now, longWay);
      lanes &= ~now;
    } while (lanes != 0);
    if (c_.state == WarpState::running) ++path.at;
  }
}

}  // namespace estimate::gpu_code
