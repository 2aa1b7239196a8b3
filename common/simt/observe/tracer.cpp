#include "simt/observe/tracer.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

#include "simt/device/primitives.h"
#include "simt/image/symbols.h"
#include "simt/memory/arrays.h"
#include "simt/memory/dynamic_shared.h"
#include "simt/paths/count_request.h"

namespace simt {
namespace {

using Kind = TraceStep::Kind;

TracedLaunch& tracedLaunch() { return static_cast<TracedLaunch&>(runningThreads().launch()); }

uint64_t valueAt(uintptr_t address, size_t size) {
  uint64_t value = 0;
  if (size <= sizeof value) std::memcpy(&value, reinterpret_cast<const void*>(address), size);
  return value;
}

// The kernel's code is near the kernel: gives an instruction its upper bits back.
const void* instructionOf(uint32_t code) {
  const KernelCall& call = runningThreads().kernelCall();
  const auto near = call.kernel ? reinterpret_cast<uintptr_t>(call.kernel)
                                : reinterpret_cast<uintptr_t>(call.call);
  constexpr uintptr_t span = uintptr_t(1) << 30;
  uintptr_t pc = (near & ~(span - 1)) | code >> 2;
  if (pc > near + span / 2) pc -= span;
  if (pc + span / 2 < near) pc += span;
  return reinterpret_cast<const void*>(pc);
}

void listArrays(std::vector<TracedArray>& list) {
  list.clear();
  for (const Array* array : allArrays())
    list.push_back({array->name, array->begin, array->end - array->begin, array->elementSize});
  for (const Variable& v : sharedVariables())
    list.push_back({v.name, v.begin, v.end - v.begin, 1, MemorySpace::shared});
  const DynamicShared now = dynamicSharedNow();
  if (now.end > now.begin)
    list.push_back(
        {now.name, now.begin, now.end - now.begin, now.elementSize, MemorySpace::shared});
}

}  // namespace

// One trace at a time, whichever blocks run.
TraceRequest& traceAskedFor() {
  static auto& request = *new TraceRequest;
  return request;
}

void recordTrace(Trace* trace, TraceChoice choice) {
  std::ranges::sort(choice.blocks);
  traceAskedFor() = {trace, std::move(choice)};
}

static uint32_t addBlock(dim3 index) {
  const KernelCall& call = runningThreads().kernelCall();
  const DynamicShared dynamic = dynamicSharedNow();
  const TraceRequest& asked = *tracedLaunch().traced;
  asked.trace->blocks.push_back({kernelName(), asked.launches - 1, call.grid, call.block, index,
                                 unsigned(dynamic.end - dynamic.begin)});
  listArrays(asked.trace->arrays);
  return uint32_t(asked.trace->blocks.size() - 1);
}

void Tracer::takeOver(dim3 index, std::span<const TraceStep> steps, std::span<const uint64_t> words,
                      bool cutOff) {
  const uint32_t block = addBlock(index);
  const TraceRequest& asked = *tracedLaunch().traced;
  const TraceChoice& choice = asked.choice;
  Trace* const trace = asked.trace;
  const size_t room = choice.maxSteps - std::min(choice.maxSteps, trace->steps.size());
  const size_t kept = std::min(room, steps.size());
  const size_t firstWord = trace->words.size();
  const size_t wordsBefore = steps.empty() ? 0 : steps[0].words;
  for (TraceStep step : steps.first(kept)) {
    step.block = block;
    step.words += firstWord - wordsBefore;
    trace->steps.push_back(step);
  }
  if (kept < steps.size()) words = words.first(steps[kept].words - wordsBefore);
  trace->words.insert(trace->words.end(), words.begin(), words.end());
  trace->cutOff = trace->cutOff || cutOff || kept < steps.size();
  if (choice.blockEnded) choice.blockEnded();
}

bool Tracer::choose() {
  const bool before = on_;
  const ThreadBlock& block = runningThreads();
  const TraceRequest* const asked = tracedLaunch().traced;
  const uint64_t number = numberOf(block.index, block.kernelCall().grid);
  on_ = asked &&
        (asked->choice.blocks.empty() || std::ranges::binary_search(asked->choice.blocks, number));
  return on_ != before;
}

void Tracer::begins() {
  const TraceRequest& asked = *tracedLaunch().traced;
  trace_ = asked.trace;
  maxSteps_ = asked.choice.maxSteps;
  block_ = addBlock(runningThreads().index);
  ++tracedLaunch().openBlocks;
  lanes_.clear();
  lanes_.resize(runningThreads().size + warpWidth);
  std::fill(std::begin(lastStep_), std::end(lastStep_), SIZE_MAX);
  for (std::vector<CountedFence>& fences : fences_) fences.clear();
}

void Tracer::ends() {
  const TraceChoice& choice = tracedLaunch().traced->choice;
  if (--tracedLaunch().openBlocks == 0 && choice.blockEnded) choice.blockEnded();
  std::fill(std::begin(lastStep_), std::end(lastStep_), SIZE_MAX);
}

void Tracer::noteAccess(const Thread& thread, uintptr_t address, size_t size, Access kind,
                        const void* pc) {
  const Quiet quiet;  // what is allocated here is not the kernel's
  Lane& self = lane(thread.warp(), thread.lane());
  // The words of one object are stored together, behind the last of these calls.
  if (!self.pending.empty() && pc != self.pendingPc) settleStores(thread);
  self.values.push_back({valueAt(address, size), std::exchange(self.fence, nullptr)});
  if (kind != Access::store) return;
  self.pending.push_back(packAccess(address, size));
  self.pendingPc = pc;
}

void Tracer::settleStores(const Thread& thread) {
  Lane& self = lane(thread.warp(), thread.lane());
  auto value = self.values.end() - std::ptrdiff_t(self.pending.size());
  for (const uint64_t access : self.pending)
    (value++)->bits = valueAt(addressOf(access), sizeOf(access));
  self.pending.clear();
}

static Kind kindOf(const Thread& thread) {
  if (thread.state == State::atActiveMask) return Kind::vote;
  if (thread.state == State::atBlockBarrier)
    return thread.barrierMode == gridBarrierMode ? Kind::gridBarrier : Kind::blockBarrier;
  switch (thread.op) {
    case WarpOp::barrier: return Kind::warpBarrier;
    case WarpOp::shuffle: return Kind::shuffle;
    case WarpOp::vote: return Kind::vote;
    default: return Kind::reduce;
  }
}

void Tracer::meet(const std::vector<Thread*>& threads) {
  for (Thread* thread : threads) {
    const Kind kind = kindOf(*thread);
    const auto source = unsigned(thread->parameter) % warpWidth;
    uint64_t value = thread->operand;
    if (kind == Kind::shuffle)
      value = runningThreads().threads[thread->warp() * warpWidth + source].operand;
    const unsigned mask = kind == Kind::blockBarrier ? ~0u : thread->mask;
    Lane& self = lane(thread->warp(), thread->lane());
    self.meetings.push_back(
        {kind, thread->pc, mask, source, value, std::exchange(self.fence, nullptr)});
  }
}

TraceStep* Tracer::add(unsigned warp, Kind kind, uint32_t lanes, const void* pc) {
  if (trace_->steps.size() >= maxSteps_) {
    trace_->cutOff = true;
    lastStep_[warp] = SIZE_MAX;
    return nullptr;
  }
  lastStep_[warp] = trace_->steps.size();
  return &trace_->steps.emplace_back(TraceStep{.kind = kind,
                                               .warp = uint16_t(warp),
                                               .block = block_,
                                               .lanes = lanes,
                                               .pc = pc,
                                               .words = trace_->words.size()});
}

void Tracer::enters(unsigned warp, const JointAccess& joint) {
  if (joint.code == JointAccess::parting) {
    if (lastStep_[warp] < trace_->steps.size()) {
      TraceStep& last = trace_->steps[lastStep_[warp]];
      last.divergent = true;
      last.isBranch = joint.isBranch;
    }
  } else if (joint.code == codeOf(nullptr, CodeTag::meeting)) {
    add(warp, Kind::returned, joint.lanes, nullptr);
  } else if (tagOf(joint.code) == CodeTag::meeting) {
    addMeetings(warp, joint.lanes);
  } else {
    add(warp, Kind::code, joint.lanes, instructionOf(joint.code));
  }
}

// The lanes of a warp make a fence together, and come to their next steps one after the other.
bool Tracer::isNewFence(unsigned warp, unsigned number, const void* fence, uint32_t lanes) {
  if (!fence) return false;
  std::vector<CountedFence>& fences = fences_[warp];
  auto found = std::ranges::find(fences, fence, &CountedFence::pc);
  if (found == fences.end()) found = fences.insert(found, {fence, 0});
  const bool isNew = (found->others >> number & 1) == 0;
  found->others = isNew ? ~lanes : found->others & ~(1u << number);
  return isNew;
}

// Lanes that came together may take part in operations with different masks.
void Tracer::addMeetings(unsigned warp, uint32_t lanes) {
  while (lanes != 0) {
    const auto first = unsigned(std::countr_zero(lanes));
    if (lane(warp, first).meetings.empty()) {  // one that a fault has cut short
      lanes &= lanes - 1;
      continue;
    }
    const Meeting meeting = lane(warp, first).meetings.front();
    uint32_t group = 0;
    bool behindFence = false;
    std::vector<uint64_t> sources, values;
    for (uint32_t left = lanes; left != 0; left &= left - 1) {
      const auto number = unsigned(std::countr_zero(left));
      Lane& other = lane(warp, number);
      if (other.meetings.empty() || other.meetings.front().mask != meeting.mask) continue;
      group |= 1u << number;
      sources.push_back(other.meetings.front().source);
      values.push_back(other.meetings.front().value);
      behindFence |= isNewFence(warp, number, other.meetings.front().fence, lanes);
      other.meetings.pop_front();
    }
    lanes &= ~group;
    TraceStep* const step = add(warp, meeting.kind, group, meeting.pc);
    if (step) step->behindFence = behindFence;
    if (!step || !Trace::hasValue(*step)) continue;
    trace_->words.insert(trace_->words.end(), sources.begin(), sources.end());
    trace_->words.insert(trace_->words.end(), values.begin(), values.end());
  }
}

void Tracer::addPart(unsigned warp, const Request& request) {
  const uint64_t first = request.accesses[std::countr_zero(request.lanes)];
  TraceStep* const step =
      add(warp, Kind(int(Kind::load) + int(request.kind)), request.lanes, request.pc);
  if (step) {
    const bool isShared = sharedRange().contains(addressOf(first));
    step->space = isShared ? MemorySpace::shared : MemorySpace::global;
    step->bytes = uint8_t(sizeOf(first));
    if (request.kind == Access::atomic)
      step->conflicts = atomicConflictsOf(request.lanes, request.accesses);
    else if (isShared)
      step->conflicts = bankConflictsOf(request.lanes, request.accesses);
    else
      step->sectors = sectorsOf(request.lanes, request.accesses);
  }
  if (step && request.values) step->behindFence = std::exchange(fenceTaken_, false);
  std::vector<uint64_t> values;
  for (uint32_t left = request.lanes; left != 0; left &= left - 1) {
    const auto number = unsigned(std::countr_zero(left));
    if (request.values) {
      values.push_back(request.values[number]);
    } else {
      Lane& self = lane(warp, number);
      values.push_back(self.values.front().bits);
      if (step)
        step->behindFence |= isNewFence(warp, number, self.values.front().fence, request.lanes);
      self.values.pop_front();
    }
    if (step) trace_->words.push_back(addressOf(request.accesses[number]));
  }
  if (step) trace_->words.insert(trace_->words.end(), values.begin(), values.end());
}

bool Tracer::takeValues(unsigned warp, uint32_t lanes, uint64_t* values) {
  for (uint32_t left = lanes; left != 0; left &= left - 1) {
    const auto number = unsigned(std::countr_zero(left));
    Lane& self = lane(warp, number);
    fenceTaken_ |= isNewFence(warp, number, self.values.front().fence, lanes);
    values[number] = self.values.front().bits;
    self.values.pop_front();
  }
  return true;
}

void Tracer::requests(unsigned warp, const Request& request) {
  if (request.kind == Access::atomic) return addPart(warp, request);
  Request shared = request, global = request;
  shared.lanes = sharedLanesOf(request);
  global.lanes &= ~shared.lanes;
  if (global.lanes != 0) addPart(warp, global);
  if (shared.lanes != 0) addPart(warp, shared);
}

}  // namespace simt
