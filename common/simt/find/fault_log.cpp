#include "simt/find/fault_log.h"

#include <algorithm>
#include <string>
#include <utility>

#include "simt/find/settings.h"

namespace simt {
namespace {

// The same fault under another kind, with a remark at its end.
Fault retold(const Fault& fault, Fault::Kind kind, const std::string& remark) {
  Fault other(kind, fault.what() + remark);
  other.mild = fault.mild;
  other.kernel = fault.kernel;
  other.block = fault.block;
  other.threads = fault.threads;
  other.array = fault.array;
  other.index = fault.index;
  other.sources = fault.sources;
  other.instructions = fault.instructions;
  return other;
}

// What rests on one assumption, that the lanes of a warp run in lock-step: one fault for all of it.
class LockStepStory {
 public:
  // Whether the fault is part of what is told already.
  bool takes(const Fault& fault, bool inOneWarp) {
    if (fault.kind == Fault::Kind::endlessLoop && first_) {
      loops_ += "; and " + what(fault);
    } else if (inOneWarp && fault.kind == Fault::Kind::race && first_) {
      if (fault.sources == first_->sources) return true;
      addPlace(fault);
    } else {
      return false;
    }
    for (const dim3 thread : fault.threads) first_->threads.push_back(thread);
    for (const std::string& source : fault.sources) first_->sources.push_back(source);
    for (const void* pc : fault.instructions) first_->instructions.push_back(pc);
    return true;
  }
  void begin(Fault& fault) { first_ = &fault; }
  void tell() {
    if (!first_) return;
    if (!places_.empty())
      places_ =
          ". On the same assumption, that the lanes of a warp run in lock-step, rests what is" +
          places_;
    if (!places_.empty() || !loops_.empty())
      *first_ = retold(*first_, first_->kind, places_ + loops_);
  }

 private:
  // Without the kernel and the block.
  static std::string what(const Fault& fault) {
    const std::string text = fault.what();
    const size_t colon = text.find(": ");
    return colon == std::string::npos ? text : text.substr(colon + 2);
  }
  void addPlace(const Fault& fault) {
    std::string place;
    for (const std::string& source : fault.sources)
      if (place.find(source) == std::string::npos) place += (place.empty() ? "" : " and ") + source;
    if (place.empty() || places_.find(" at " + place + " (") != std::string::npos) return;
    places_ += (places_.empty() ? " at " : ", at ") + place + " (" + fault.array + ")";
  }

  Fault* first_ = nullptr;
  std::string places_, loops_;
};

// Unreadable beyond; what is broken so often shows it in the first few.
constexpr size_t mostFaults = 16;

}  // namespace

const char* kindName(Fault::Kind kind) {
  const char* const names[] = {
      "out of bounds", "host memory",      "uninitialised",  "misaligned",
      "race",          "barrier",          "warp operation", "assertion",
      "benign race",   "missed barrier",   "endless loop",   "stack overflow",
      "null pointer",  "division by zero", "exception",      "end of the program",
      "missing fence", "constant memory"};
  return names[int(kind)];
}

bool FaultLog::has(Fault::Kind kind, const void* first, const void* second, bool inOneWarp) const {
  if (entries_.size() >= mostFaults) return true;
  return std::ranges::any_of(entries_, [&](const Entry& e) {
    const bool isWorse = kind == Fault::Kind::benignRace && e.fault.kind == Fault::Kind::race;
    return (e.fault.kind == kind || isWorse) && isPair(e, first, second) &&
           (inOneWarp || !e.inOneWarp);
  });
}

bool FaultLog::areRaces() const {
  return std::ranges::all_of(entries_, [](const Entry& e) {
    return e.fault.kind == Fault::Kind::race || e.fault.kind == Fault::Kind::benignRace ||
           e.fault.kind == Fault::Kind::missingFence;
  });
}

bool FaultLog::isPair(const Entry& entry, const void* first, const void* second) {
  return (entry.first == first && entry.second == second) ||
         (entry.first == second && entry.second == first);
}

void FaultLog::add(Entry entry) {
  const bool isRace = entry.fault.kind == Fault::Kind::race;
  std::erase_if(entries_, [&](const Entry& e) {
    const bool isBenign = e.fault.kind == Fault::Kind::benignRace;  // other words were the same
    return ((isRace && isBenign) || (e.inOneWarp && e.fault.kind == entry.fault.kind)) &&
           isPair(e, entry.first, entry.second);
  });
  entries_.push_back(std::move(entry));
}

void FaultLog::supersedeUnwritten(uintptr_t address) {
  std::erase_if(entries_, [&](const Entry& e) {
    return e.fault.kind == Fault::Kind::uninitialised && e.address / 4 == address / 4;
  });
}

std::vector<Fault> FaultLog::settle(const Settings& settings) {
  std::vector<Fault> settled;
  settled.reserve(entries_.size());
  LockStepStory lockStep;
  for (Entry& e : entries_) {
    Fault fault = std::move(e.fault);
    if (e.reading && repeatedReads_.count(e.reading)) continue;
    if (e.guess && checkedReads_.count(e.guess)) {
      fault = retold(fault, Fault::Kind::benignRace,
                     ": a check before an atomic on the same address, which does no harm where the "
                     "atomic decides");
    }
    const bool isRace =
        fault.kind == Fault::Kind::benignRace || fault.kind == Fault::Kind::missingFence;
    fault.mild = (isRace && !settings.benignRacesFail) ||
                 (fault.kind == Fault::Kind::missedBarrier && !settings.missedBarriersFail);
    if (lockStep.takes(fault, e.inOneWarp)) continue;
    settled.push_back(std::move(fault));
    if (e.inOneWarp && settled.back().kind == Fault::Kind::race) lockStep.begin(settled.back());
  }
  lockStep.tell();
  *this = FaultLog();
  return settled;
}

}  // namespace simt
