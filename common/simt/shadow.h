// What was done to memory, unit by unit: a page of it describes a kilobyte, in words or, once
// something smaller than a word was accessed, in bytes. Only what is needed takes room.
#pragma once

#include <cstdint>
#include <memory>
#include <unordered_map>
#include <utility>
#include <vector>

namespace simt {

// Two of the reads and of the atomics are kept, for one alone may be ordered where another is not.
enum Slot : unsigned { lastWrite, firstRead, secondRead, firstAtomic, secondAtomic, slotCount };

// Record has a default constructor; a record of zeros is none.
template <typename Record>
class ShadowPage {
 public:
  static constexpr uintptr_t bytes = 1024;

  // The room that the page takes is added to roomOfAll.
  ShadowPage(uintptr_t begin, size_t& roomOfAll) : begin_(begin), roomOfAll_(roomOfAll) {
    roomOfAll_ += room_;
  }
  ~ShadowPage() { roomOfAll_ -= room_; }
  ShadowPage(const ShadowPage&) = delete;
  ShadowPage& operator=(const ShadowPage&) = delete;

  uintptr_t begin() const { return begin_; }
  unsigned unitBytes() const { return unitBytes_; }
  size_t units() const { return bytes / unitBytes_; }
  size_t unitOf(uintptr_t address) const { return (address - begin_) / unitBytes_; }

  // Null where this slot of no unit was ever written.
  const Record* find(Slot slot, size_t unit) const {
    return records_[slot] ? &records_[slot][unit] : nullptr;
  }
  bool has(Slot slot) const { return records_[slot] != nullptr; }
  Record& at(Slot slot, size_t unit) {
    if (!records_[slot]) records_[slot] = make();
    return records_[slot][unit];
  }

  void splitIntoBytes() {
    if (unitBytes_ == 1) return;
    const unsigned before = std::exchange(unitBytes_, 1);
    for (auto& records : records_) {
      if (!records) continue;
      auto single = make();
      for (size_t i = 0; i < bytes; ++i) single[i] = records[i / before];
      records = std::move(single);
      room_ -= bytes / before * sizeof(Record);
      roomOfAll_ -= bytes / before * sizeof(Record);
    }
  }

  // For other addresses. The records stay what they are.
  void moveTo(uintptr_t begin) { begin_ = begin; }

 private:
  std::unique_ptr<Record[]> make() {
    room_ += units() * sizeof(Record);
    roomOfAll_ += units() * sizeof(Record);
    return std::make_unique<Record[]>(units());
  }

  uintptr_t begin_;
  size_t room_ = sizeof(ShadowPage);
  size_t& roomOfAll_;
  unsigned unitBytes_ = 4;
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
    if (!page) page = newPage(number * Page::bytes);
    return *(recent = page.get());
  }
  void forget(uintptr_t begin, uintptr_t end) {
    for (uintptr_t number = begin / Page::bytes; number * Page::bytes < end; ++number) {
      pages_.erase(number);
      recent_[number % recentPages] = nullptr;
    }
  }
  template <typename Visit>
  void forEachPage(const Visit& visit) {
    for (auto& [number, page] : pages_) visit(*page);
  }
  void clear() {
    forgetRecent();
    pages_.clear();
    spare_.clear();
  }
  // Forgets all, but keeps the pages, old records included, for those to come.
  void recycle() {
    forgetRecent();
    for (auto& [number, page] : pages_)
      if (page->unitBytes() > 1) spare_.push_back(std::move(page));
    pages_.clear();
  }
  // Bytes, spare pages included.
  size_t roomTaken() const { return room_; }

 private:
  std::unique_ptr<Page> newPage(uintptr_t begin) {
    if (spare_.empty()) return std::make_unique<Page>(begin, room_);
    std::unique_ptr<Page> page = std::move(spare_.back());
    spare_.pop_back();
    page->moveTo(begin);
    return page;
  }
  void forgetRecent() {
    for (auto& [number, page] : pages_) recent_[number % recentPages] = nullptr;
  }

  static constexpr size_t recentPages = 2048;
  size_t room_ = 0;
  std::unordered_map<uintptr_t, std::unique_ptr<Page>> pages_;
  std::vector<std::unique_ptr<Page>> spare_;
  Page* recent_[recentPages] = {};
};

}  // namespace simt
