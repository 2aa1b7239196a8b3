// What is known of many places in memory, by their numbers: without a node for each.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace estimate {

template <typename Value>
class PlaceTable {
 public:
  // The value of a place, which is this one where there was none, and whether that is new. It stays
  // where it is until another is added.
  std::pair<Value&, bool> tryEmplace(uint64_t place, const Value& value) {
    if (2 * (count_ + 1) > entries_.size()) grow();
    Entry& entry = entries_[slotOf(place)];
    const bool isNew = entry.key == 0;
    if (isNew) entry = {place + 1, value}, ++count_;
    return {entry.value, isNew};
  }
  // The value of a place, or none.
  const Value* find(uint64_t place) const {
    if (count_ == 0) return nullptr;
    const Entry& entry = entries_[slotOf(place)];
    return entry.key != 0 ? &entry.value : nullptr;
  }
  size_t size() const { return count_; }
  bool contains(uint64_t place) const { return find(place) != nullptr; }
  void forEach(auto&& function) const {
    for (const Entry& entry : entries_)
      if (entry.key != 0) function(entry.value);
  }

 private:
  struct Entry {
    uint64_t key = 0;  // 0: nothing is here
    Value value = {};
  };
  size_t slotOf(uint64_t place) const {
    const size_t last = entries_.size() - 1;
    size_t at = size_t((place * 0x9e3779b97f4a7c15u) >> 20) & last;
    while (entries_[at].key != 0 && entries_[at].key != place + 1) at = (at + 1) & last;
    return at;
  }
  void grow() {
    constexpr size_t fewest = 256;
    std::vector<Entry> before(entries_.empty() ? fewest : 4 * entries_.size());
    before.swap(entries_);
    for (const Entry& entry : before)
      if (entry.key != 0) entries_[slotOf(entry.key - 1)] = entry;
  }
  std::vector<Entry> entries_;  // a power of two, at least twice as many as are in use
  size_t count_ = 0;
};

}  // namespace estimate
