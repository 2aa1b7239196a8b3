// What was done to memory, unit by unit: a page of it describes a kilobyte, in words or, once
// something smaller than a word was accessed, in bytes. Only what is needed takes room.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <vector>

namespace simt {

// Two of the reads and of the atomics are kept, for one alone may be ordered where another is not.
enum Slot : unsigned { lastWrite, firstRead, secondRead, firstAtomic, secondAtomic, slotCount };

constexpr uintptr_t shadowPageBytes = 1024;

// Memory for the records of the words of a page, kept for pages to come: what the system gives anew
// costs more than all that is done with it. May be used from several OS threads.
class RecordPool {
 public:
  explicit RecordPool(size_t bytes) : bytes_(bytes) {}

  void* take();  // zeros
  void giveBack(void* memory);
  // In a worker process: what was kept so far would be copied page by page.
  void leaveToOthers() { spare_.clear(); }
  // Whether processes that are forked have it: they do, where nothing else is said. Who needs none
  // is forked sooner without, as the system notes page by page what two processes share.
  void comeAlong(bool inForks) const;

 private:
  bool isMine(const void* memory) const {
    return memory >= all_ && memory < static_cast<const char*>(all_) + made_;
  }
  void* takeSpare();

  const size_t bytes_;
  std::mutex mutex_;
  void* all_ = nullptr;  // addresses for all there can be
  size_t made_ = 0;      // bytes of them that are in use or spare
  std::vector<void*> spare_;
};
template <typename Record>
RecordPool& recordPool() {
  static auto& pool = *new RecordPool(shadowPageBytes / 4 * sizeof(Record));
  return pool;
}

// Record has a default constructor; a record of zeros is none.
template <typename Record>
class ShadowPage {
 public:
  static constexpr uintptr_t bytes = shadowPageBytes;

  // The room that the page takes is added to roomOfAll.
  ShadowPage(uintptr_t begin, size_t& roomOfAll) : begin_(begin), roomOfAll_(&roomOfAll) {
    *roomOfAll_ += room_;
  }
  ~ShadowPage() {
    for (Record* records : records_) drop(records);
    *roomOfAll_ -= room_;
  }
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
    if (!records_[slot]) {
      records_[slot] = make();
      addRoom(units() * sizeof(Record));
    }
    return records_[slot][unit];
  }

  void splitIntoBytes() {
    if (unitBytes_ == 1) return;
    const unsigned before = unitBytes_;
    for (Record*& records : records_) {
      if (!records) continue;
      auto* const single = new Record[bytes];
      for (size_t i = 0; i < bytes; ++i) single[i] = records[i / before];
      drop(std::exchange(records, single));
      addRoom((bytes - bytes / before) * sizeof(Record));
    }
    unitBytes_ = 1;
  }

  // From now on its room is part of another sum.
  void countRoomIn(size_t& roomOfOthers) {
    *roomOfAll_ -= room_;
    roomOfAll_ = &roomOfOthers;
    *roomOfAll_ += room_;
  }
  void addRoom(size_t more) {
    room_ += more;
    *roomOfAll_ += more;
  }

 private:
  static_assert(std::is_trivially_copyable_v<Record>);
  Record* make() const {
    if (unitBytes_ == 1) return new Record[bytes];
    return static_cast<Record*>(recordPool<Record>().take());
  }
  void drop(Record* records) const {
    if (records && unitBytes_ == 1)
      delete[] records;
    else if (records)
      recordPool<Record>().giveBack(records);
  }

  uintptr_t begin_;
  size_t room_ = sizeof(ShadowPage);
  size_t* roomOfAll_;
  unsigned unitBytes_ = 4;
  Record* records_[slotCount] = {};
};

// The pages, found by address. A page is made from its first address and the sum of all pages'
// room.
template <typename Page>
class Shadow {
 public:
  Page& pageOf(uintptr_t address) {
    Page*& page = placeOf(address);
    if (!page) {
      pages_.push_back(std::make_unique<Page>(address / shadowPageBytes * shadowPageBytes, room_));
      page = pages_.back().get();
    }
    return *page;
  }
  void forget(uintptr_t begin, uintptr_t end) {
    std::erase_if(pages_, [&](const std::unique_ptr<Page>& page) {
      if (page->begin() + shadowPageBytes <= begin || page->begin() >= end) return false;
      placeOf(page->begin()) = nullptr;
      return true;
    });
  }
  template <typename Visit>
  void forEachPage(const Visit& visit) {
    for (const auto& page : pages_) visit(*page);
  }
  // All of them, and there are none any more.
  std::vector<std::unique_ptr<Page>> takePages() {
    for (const auto& page : pages_) placeOf(page->begin()) = nullptr;
    return std::exchange(pages_, {});
  }
  void clear() {
    constexpr size_t manyRegions = 4096;
    if (regions_.size() <= manyRegions) {
      takePages();
      return;
    }
    for (Region*& region : recent_) region = nullptr;
    regions_.clear();
    pages_.clear();
  }
  bool empty() const { return pages_.empty(); }
  size_t& room() { return room_; }  // bytes

 private:
  static constexpr size_t regionPages = 64, recentRegions = 1024;
  struct Region {
    uintptr_t number;
    Page* pages[regionPages];
  };

  Page*& placeOf(uintptr_t address) {
    const uintptr_t page = address / shadowPageBytes, number = page / regionPages;
    Region* region = recent_[number % recentRegions];
    if (!region || region->number != number) [[unlikely]]
      region = findRegion(number);
    return region->pages[page % regionPages];
  }
  Region* findRegion(uintptr_t number) {
    std::unique_ptr<Region>& region = regions_[number];
    if (!region) region = std::make_unique<Region>(Region{number, {}});
    return recent_[number % recentRegions] = region.get();
  }

  size_t room_ = 0;
  std::vector<std::unique_ptr<Page>> pages_;
  std::unordered_map<uintptr_t, std::unique_ptr<Region>> regions_;
  Region* recent_[recentRegions] = {};
};

}  // namespace simt
