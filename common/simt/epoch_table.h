// A hash table that forgets everything at once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace simt {

// A value found for the first time is Value().
template <typename Value>
class EpochTable {
 public:
  Value& operator[](uintptr_t key) {
    for (size_t i = key * 0x9e3779b97f4a7c15u >> 32;; ++i) {
      Entry& entry = entries_[i & (entries_.size() - 1)];
      if (entry.period == period_ && entry.key == key) return entry.value;
      if (entry.period == period_) continue;
      if (++used_ * 2 <= entries_.size()) {
        entry = {key, period_, Value()};
        return entry.value;
      }
      std::vector<Entry> old(entries_.size() * 2);
      old.swap(entries_);
      used_ = 0;
      for (const Entry& e : old)
        if (e.period == period_) (*this)[e.key] = e.value;
      return (*this)[key];
    }
  }
  void forget() {
    ++period_;
    used_ = 0;
  }

 private:
  struct Entry {
    uintptr_t key = 0;
    uint64_t period = 0;
    Value value{};
  };
  std::vector<Entry> entries_ = std::vector<Entry>(1024);
  size_t used_ = 0;
  uint64_t period_ = 1;
};

}  // namespace simt
