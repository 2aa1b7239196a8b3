// What was done to memory, unit by unit: a page of it describes a kilobyte, in words or, once
// something smaller than a word was accessed, in bytes. Only what is needed takes room.
#pragma once

#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

namespace simt {

// Two of the reads and of the atomics are kept, for one alone may be ordered where another is not.
enum Slot : unsigned { lastWrite, firstRead, secondRead, firstAtomic, secondAtomic, slotCount };

// Record has a default constructor; a record of zeros is none.
template <typename Record>
class ShadowPage {
 public:
  static constexpr uintptr_t bytes = 1024;

  explicit ShadowPage(uintptr_t begin) : begin_(begin) {}

  uintptr_t begin() const { return begin_; }
  unsigned unitBytes() const { return unitBytes_; }
  size_t units() const { return bytes / unitBytes_; }
  size_t unitOf(uintptr_t address) const { return (address - begin_) / unitBytes_; }
  size_t roomTaken() const { return room_; }

  // Null where this slot of no unit was ever written.
  const Record* find(Slot slot, size_t unit) const {
    return records_[slot] ? &records_[slot][unit] : nullptr;
  }
  Record& at(Slot slot, size_t unit) {
    if (!records_[slot]) {
      records_[slot] = std::make_unique<Record[]>(units());
      room_ += units() * sizeof(Record);
    }
    return records_[slot][unit];
  }

  void splitIntoBytes() {
    if (unitBytes_ == 1) return;
    room_ = 0;
    for (auto& records : records_) {
      if (!records) continue;
      auto single = std::make_unique<Record[]>(bytes);
      for (size_t i = 0; i < bytes; ++i) single[i] = records[i / unitBytes_];
      records = std::move(single);
      room_ += bytes * sizeof(Record);
    }
    unitBytes_ = 1;
  }

 private:
  uintptr_t begin_;
  unsigned unitBytes_ = 4;
  size_t room_ = 0;
  std::unique_ptr<Record[]> records_[slotCount];
};

template <typename Record>
class Shadow {
 public:
  using Page = ShadowPage<Record>;

  Page& pageOf(uintptr_t address) {
    const uintptr_t number = address / Page::bytes;
    Page*& recent = recent_[number % recentPages];
    if (recent && recent->begin() == number * Page::bytes) return *recent;
    std::unique_ptr<Page>& page = pages_[number];
    if (!page) page = std::make_unique<Page>(number * Page::bytes);
    return *(recent = page.get());
  }
  void forget(uintptr_t begin, uintptr_t end) {
    for (uintptr_t number = begin / Page::bytes; number * Page::bytes < end; ++number)
      pages_.erase(number);
    for (Page*& page : recent_) page = nullptr;
  }
  template <typename Visit>
  void forEachPage(const Visit& visit) {
    for (auto& [number, page] : pages_) visit(*page);
  }
  void clear() {
    pages_.clear();
    for (Page*& page : recent_) page = nullptr;
  }

 private:
  static constexpr size_t recentPages = 64;
  std::unordered_map<uintptr_t, std::unique_ptr<Page>> pages_;
  Page* recent_[recentPages] = {};
};

}  // namespace simt
