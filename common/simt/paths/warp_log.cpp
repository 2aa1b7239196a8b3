#include "simt/paths/warp_log.h"

#include <algorithm>
#include <bit>

#include "simt/paths/joint_counts.h"
#include "simt/paths/path_block.h"

namespace simt {

namespace {

std::vector<uint32_t> codesOf(const Thread& thread) {
  std::vector<uint32_t> codes;
  const PathSegment* segment = thread.segment;
  auto length = uint32_t(thread.nextCode - segment->codes);
  codes.resize(segment->codesBefore + length);
  for (; segment; segment = segment->parent) {
    std::copy_n(segment->codes, length, codes.begin() + segment->codesBefore);
    length = segment->parentLength;
  }
  return codes;
}

bool hasPath(const Thread& thread) { return thread.nextCode != thread.segment->codes; }

// ---- Joining

// What these lanes do together on their paths, which begin and end where all of them meet.
WarpPlan makePlan(std::span<Thread> lanes) {
  Lockstep lockstep(runningPaths().tellsSteps);
  for (const Thread& thread : lanes) {
    if (!hasPath(thread)) continue;
    const std::vector<uint32_t> codes = codesOf(thread);
    lockstep.append(thread.lane(), codes.data(), codes.size());
  }
  WarpPlan plan;
  plan.divergentBranches =
      lockstep.run(0, 0, [&](const JointAccess& access) { plan.accesses.push_back(access); });
  for (JointAccess& access : plan.accesses) {
    if (tagOf(access.code) != CodeTag::access) continue;
    access.site = &runningPaths().paths.site(access.code);
    access.row = int(access.index[std::countr_zero(access.lanes)]);
    for (uint32_t left = access.lanes; left != 0; left &= left - 1)
      if (int(access.index[std::countr_zero(left)]) != access.row) access.row = -1;
  }
  return plan;
}

// The path that all of them took, or null.
const uint32_t* onePath(std::span<const Thread> lanes) {
  const uint32_t* const path = lanes[0].nextCode;
  uintptr_t differences = 0;
  for (const Thread& thread : lanes)
    differences |= reinterpret_cast<uintptr_t>(thread.nextCode) ^ reinterpret_cast<uintptr_t>(path);
  return differences == 0 && hasPath(lanes[0]) ? path : nullptr;
}

const WarpPlan& planFor(std::span<Thread> lanes) {
  PlanCache& plans = runningPaths().plans;
  const uint32_t* const path = onePath(lanes);
  if (path)
    if (const WarpPlan* const known = plans.findUniform(path, lanes.size())) return *known;
  PlanCache::Paths& paths = runningPaths().endsOfPaths;
  paths.assign(lanes.size(), nullptr);
  for (size_t i = 0; i < lanes.size(); ++i)
    if (hasPath(lanes[i])) paths[i] = lanes[i].nextCode;
  WarpPlan* plan = plans.find(paths);
  if (!plan) plan = &plans.add(paths, makePlan(lanes));
  if (path) plans.addUniform(path, lanes.size(), *plan);
  return *plan;
}

void countByPlan(unsigned warp, std::span<Thread> lanes) {
  PathBlock& block = runningPaths();
  const WarpPlan& plan = planFor(lanes);
  const uint64_t* const rows = block.logs[warp].addresses.data();
  block.counters.divergent_branches += plan.divergentBranches;
  const Gather gather = [&](const JointAccess& access, uint64_t* gathered) -> const uint64_t* {
    if (access.row >= 0) return rows + unsigned(access.row) * warpWidth;
    for (uint32_t left = access.lanes; left != 0; left &= left - 1) {
      const int lane = std::countr_zero(left);
      gathered[lane] = rows[access.index[lane] * warpWidth + unsigned(lane)];
    }
    return gathered;
  };
  for (std::span<const JointAccess> left = plan.accesses; !left.empty();) {
    if (tagOf(left[0].code) != CodeTag::access) {
      for (Observer* const observer : block.observers) observer->enters(warp, left[0]);
      left = left.subspan(1);
      continue;
    }
    const std::span<const JointAccess> together = firstBlock(left);
    countBlock(warp, together, gather, true);
    left = left.subspan(together.size());
  }
}

// What the lanes did since they last met becomes the warp's lockstep's.
void moveToLockstep(unsigned warp) {
  PathBlock& block = runningPaths();
  WarpLog& log = block.logs[warp];
  if (!log.lockstep) log.lockstep = std::make_unique<Lockstep>(block.tellsSteps);
  for (Thread& thread : block.warpThreads(warp)) {
    const unsigned lane = thread.lane();
    if (!hasPath(thread)) continue;
    const std::vector<uint32_t> codes = codesOf(thread);
    const uint64_t* row = log.addresses.data();
    lookUpLoadsOf(thread);
    for (const uint32_t code : codes) {
      if (tagOf(code) != CodeTag::access) continue;
      log.waiting[lane].push_back(row[lane]);
      row += warpWidth;
    }
    log.lockstep->append(lane, codes.data(), codes.size());
    beginLogs({&thread, 1});
  }
}

// Counts what the lockstep can join. In more, lanes that go on later; in blocked, those of them
// that wait for others.
void advance(unsigned warp, uint32_t more, uint32_t blocked) {
  PathBlock& block = runningPaths();
  WarpLog& log = block.logs[warp];
  uint32_t before[warpWidth];
  for (unsigned lane = 0; lane < warpWidth; ++lane) before[lane] = log.lockstep->accessesDone(lane);
  const Gather gather = [&](const JointAccess& access, uint64_t* gathered) -> const uint64_t* {
    for (uint32_t left = access.lanes; left != 0; left &= left - 1) {
      const int lane = std::countr_zero(left);
      gathered[lane] = log.waiting[lane][access.index[lane] - before[lane]];
    }
    return gathered;
  };
  std::vector<JointAccess> ofOneBlock;
  const auto countLast = [&] {
    if (!ofOneBlock.empty()) countBlock(warp, ofOneBlock, gather, false);
    ofOneBlock.clear();
  };
  block.counters.divergent_branches +=
      log.lockstep->run(more, blocked, [&](const JointAccess& access) {
        const bool isAccess = tagOf(access.code) == CodeTag::access;
        if (!isAccess || !access.continues) countLast();
        if (isAccess)
          ofOneBlock.push_back(access);
        else
          for (Observer* const observer : block.observers) observer->enters(warp, access);
      });
  countLast();
  for (unsigned lane = 0; lane < warpWidth; ++lane) {
    auto& waiting = log.waiting[lane];
    waiting.erase(waiting.begin(),
                  waiting.begin() + (log.lockstep->accessesDone(lane) - before[lane]));
  }
}

// Whether all lanes that are on a path took the same.
bool tookOnePath(std::span<Thread> lanes) {
  const uint32_t* end = nullptr;
  for (const Thread& thread : lanes) {
    if (!hasPath(thread)) continue;
    if (end && end != thread.nextCode) return false;
    end = thread.nextCode;
  }
  return true;
}

}  // namespace

void beginLogs(std::span<Thread> lanes) {
  PathBlock& block = runningPaths();
  WarpLog& log = block.logs[lanes[0].warp()];
  auto& addresses = log.addresses;
  if (addresses.empty()) addresses.resize(size_t(PathTree::maxAccesses) * warpWidth);
  PathSegment* const start = block.paths.likelyStart(log.lastEnd);
  uint64_t* const row = addresses.data();
  for (Thread& thread : lanes) {
    thread.segment = start;
    thread.nextCode = start->codes;
    thread.nextAddress = row + thread.lane();
    thread.checkedRows = 0;
  }
}

void closeLog(unsigned warp) {
  PathBlock& block = runningPaths();
  WarpLog& log = block.logs[warp];
  const std::span<Thread> lanes = block.warpThreads(warp);
  if (log.lockstep) {
    moveToLockstep(warp);
    advance(warp, 0, 0);
    log.lockstep.reset();
  } else {
    countByPlan(warp, lanes);
  }
  log.someChecked = false;
  if (hasPath(lanes[0])) log.lastEnd = lanes[0].segment;
  beginLogs(lanes);
}

void resumePaused(unsigned warp) {
  PathBlock& block = runningPaths();
  WarpLog& log = block.logs[warp];
  const std::span<Thread> lanes = block.warpThreads(warp);
  uint32_t paused = 0, blocked = 0;
  for (const Thread& thread : lanes) {
    if (thread.state == State::paused)
      paused |= 1u << thread.lane();
    else if (thread.state != State::finished)
      blocked |= 1u << thread.lane();
  }
  uint32_t goOn = paused;
  if (!log.lockstep && blocked == 0 && tookOnePath(lanes)) {
    closeLog(warp);
  } else {
    moveToLockstep(warp);
    advance(warp, paused | blocked, blocked);
    if (blocked == 0 && log.lockstep->together(paused)) {
      log.lockstep.reset();
    } else {
      for (unsigned lane = 0; lane < warpWidth; ++lane)
        if (log.lockstep->codesLeft(lane) >= PathTree::maxCodes) goOn &= ~(1u << lane);
      if (goOn == 0) goOn = paused;
    }
  }
  std::vector<Thread*> group;
  for (Thread& thread : lanes)
    if (goOn >> thread.lane() & 1) group.push_back(&thread);
  block.pausedThreads += unsigned(std::popcount(paused & ~goOn));
  block.makeReady(group);
}

void lookUpLoadsOf(Thread& thread) {
  for (Observer* const observer : runningPaths().observers) observer->loadsOf(thread);
}

void lookUpAllLoads() {
  for (Thread& thread : runningPaths().allThreads())
    if (thread.begun) lookUpLoadsOf(thread);
}

uint32_t lanesOf(std::span<Thread> warp) { return uint32_t((uint64_t(1) << warp.size()) - 1); }

void clearPaths() {
  PathBlock& block = runningPaths();
  block.plans.clear();
  block.paths.clear();
  for (WarpLog& log : block.logs) log.lastEnd = nullptr;
  for (unsigned warp = 0; warp < block.warps(); ++warp) beginLogs(block.warpThreads(warp));
}

void discardLog(unsigned warp) {
  WarpLog& log = runningPaths().logs[warp];
  log.lockstep.reset();
  log.someChecked = false;
  log.lastEnd = nullptr;
  log.waitingLanes = log.returnedLanes = 0;
  for (auto& waiting : log.waiting) waiting.clear();
  beginLogs(runningPaths().warpThreads(warp));
}

[[gnu::noinline]] static void searchPath(Thread& self, uint32_t length, uint32_t code) {
  const Quiet quiet;
  PathBlock& block = runningPaths();
  const bool begins = length == 0;
  while (!block.paths.follow(self.segment, length, code)) {
    block.calls().pauses(code);  // it begins a new path
    length = 0;
  }
  self.nextCode = self.segment->codes + length;
  if (begins) block.paths.noteStart(block.logs[self.warp()].lastEnd, self.segment);
}

void followPath(Thread& self, uint32_t code) {
  const auto length = uint32_t(self.nextCode - self.segment->codes);
  PathSegment* const likely = self.segment->lastChild;
  if (likely && length > 0 && likely->parentLength == length && likely->codes[0] == code) {
    self.segment = likely;
    self.nextCode = likely->codes + 1;
  } else {
    searchPath(self, length, code);
  }
}

void followAccess(Thread& self, uint32_t code, const void* pc, Access kind) {
  const Quiet quiet;
  runningPaths().paths.nameSite(code, pc, kind);
  followPath(self, code);
}

}  // namespace simt
