// What a launch found wrong, put into words.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "simt/executor.h"
#include "simt/thread.h"

namespace simt {

// The fault of these threads of the running block at these instructions.
Fault makeFault(Fault::Kind kind, const std::string& what, std::vector<const Thread*> who,
                std::vector<const void*> where);

// Ends the launch with this fault: from a kernel's thread it does not return.
void raise(Fault fault);

// What the running launch has found so far. A fault is told by its kind and by the instructions:
// where one pair of them does it again, nothing is added.
class FaultLog {
 public:
  struct Entry {
    Fault fault;
    const void* first;   // the instruction of the earlier access, or null
    const void* second;  // and of the one that showed the fault
    uintptr_t address = 0;
  };
  // Whether it is there already, or there is no room for another.
  bool has(Fault::Kind kind, const void* first, const void* second) const;
  void add(Entry entry);
  // Takes out the entries of which a later access has shown that they are something else.
  template <typename Condition>
  void removeIf(Condition condition) {
    std::erase_if(entries_, condition);
  }
  std::vector<Entry>& entries() { return entries_; }
  void clear() { entries_.clear(); }

 private:
  std::vector<Entry> entries_;
};

std::string threadName(const Thread& thread);  // "thread 7", "thread (7, 1, 0)"

}  // namespace simt
