#include "simt/run/arrays_of_workers.h"

#include "simt/memory/arrays.h"
#include "simt/memory/worker_process.h"

namespace simt {

void noteTouched(Touched* touched, uintptr_t offset, size_t size, Access kind) {
  if (kind == Access::atomic) giveUpWorker();
  const unsigned shift = kind == Access::load ? 4 : 0;
  for (uintptr_t word = offset / wordBytes; word * wordBytes < offset + size; ++word)
    touched[word] |= Touched(bytesOf(word * wordBytes, offset, offset + size) << shift);
}

void noteUnshared(Access kind) {
  if (kind != Access::load) giveUpWorker();
}

}  // namespace simt

#ifdef SIMT_WORKER_PROCESSES
#include <sys/mman.h>

#include <algorithm>
#include <cstring>
#include <new>

namespace simt {
namespace {

constexpr size_t mostShared = size_t(512) << 20;  // bytes of arrays, and of what is noted of them

// Memory that allocate() made, in pages of its own.
bool ownsMemory(const Array& array) {
  return array.reservation != reinterpret_cast<void*>(array.begin);
}

// Asks the system for all of it, not page by page. Where it cannot, nothing is lost.
void fetchPages([[maybe_unused]] void* memory, [[maybe_unused]] size_t bytes) {
#ifdef MADV_POPULATE_WRITE
  madvise(memory, bytes, MADV_POPULATE_WRITE);
#endif
}

}  // namespace

SharedMemory::SharedMemory(size_t bytes, bool atOnce) : bytes_(std::max<size_t>(bytes, 1)) {
  memory_ = mmap(nullptr, bytes_, PROT_READ | PROT_WRITE,
                 MAP_SHARED | MAP_ANONYMOUS | (atOnce ? MAP_POPULATE : MAP_NORESERVE), -1, 0);
  if (memory_ == MAP_FAILED) throw std::bad_alloc();
}

SharedMemory::~SharedMemory() {
  if (memory_) munmap(memory_, bytes_);
}

void SharedMemory::moveTo(void* place) {
  if (mremap(memory_, bytes_, bytes_, MREMAP_MAYMOVE | MREMAP_FIXED, place) == MAP_FAILED)
    throw std::bad_alloc();
  fetchPages(place, bytes_);
  memory_ = nullptr;
}

std::optional<ArraysOfWorkers> ArraysOfWorkers::share(unsigned workers) {
  const size_t bytes = bytesOfArrays();
  if (bytes > mostShared || bytes / wordBytes * workers > mostShared) return {};
  ArraysOfWorkers all;
  for (const Array* known : allArrays()) {
    Array* const array = findArray(known->begin);
    const size_t size = known->end - known->begin;
    const auto* const data = reinterpret_cast<const char*>(known->begin);
    if (size == 0 || !array) continue;
    if (!ownsMemory(*array)) {
      all.hostVariables_.push_back({array, {data, data + size}});
      continue;
    }
    SharedArray shared{array, size / wordBytes + 1, SharedMemory(size, true), {}};
    std::memcpy(shared.contents.as<char>(), data, size);
    for (unsigned i = 0; i < workers; ++i) shared.touched.emplace_back(shared.words);
    all.arrays_.push_back(std::move(shared));
  }
  return all;
}

ArraysOfWorkers ArraysOfWorkers::sharePlain() {
  ArraysOfWorkers all;
  for (const Array* known : allArrays()) {
    Array* const array = findArray(known->begin);
    const size_t size = known->end - known->begin;
    auto* const data = reinterpret_cast<char*>(known->begin);
    if (size == 0 || !array) continue;
    if (!ownsMemory(*array)) {
      all.hostVariables_.push_back({array, {data, data + size}});
      if (!array->isConstant) all.hostVariables_.back().after.emplace(size);
    } else if (!std::exchange(array->isShared, true)) {
      SharedMemory contents(size, true);
      std::memcpy(contents.as<char>(), data, size);
      contents.moveTo(data);
    }
  }
  return all;
}

void ArraysOfWorkers::useIn(unsigned worker) {
  for (SharedArray& shared : arrays_) {
    shared.contents.moveTo(reinterpret_cast<void*>(shared.array->begin));
    shared.array->touched = shared.touched[worker].as<Touched>();
  }
}

bool ArraysOfWorkers::someHostVariableChanged() const {
  return std::ranges::any_of(hostVariables_, [](const HostVariable& variable) {
    return std::memcmp(variable.before.data(), reinterpret_cast<const void*>(variable.array->begin),
                       variable.before.size()) != 0;
  });
}

void ArraysOfWorkers::sendHostVariables() {
  for (HostVariable& variable : hostVariables_)
    if (variable.after)
      std::memcpy(variable.after->as<char>(), reinterpret_cast<const void*>(variable.array->begin),
                  variable.before.size());
}

// Eight words at a time.
bool ArraysOfWorkers::independent(const SharedArray& shared) {
  constexpr uint64_t writes = touchedByWrite * 0x0101010101010101u;
  for (size_t i = 0; i * sizeof(uint64_t) < shared.words; ++i) {
    uint64_t written = 0, read = 0;
    for (const SharedMemory& memory : shared.touched) {
      const uint64_t touched = memory.as<uint64_t>()[i];
      const uint64_t itsWrites = touched & writes, itsReads = touched >> 4 & writes;
      if (((itsWrites & (written | read)) | (itsReads & written)) != 0) return false;
      written |= itsWrites;
      read |= itsReads;
    }
  }
  return true;
}

bool ArraysOfWorkers::independent() const {
  return std::ranges::all_of(arrays_, [](const SharedArray& array) { return independent(array); });
}

void ArraysOfWorkers::takeOverHostVariables() const {
  for (const HostVariable& variable : hostVariables_)
    if (variable.after)
      std::memcpy(reinterpret_cast<void*>(variable.array->begin), variable.after->as<char>(),
                  variable.before.size());
}

void ArraysOfWorkers::takeOver() const {
  for (const SharedArray& shared : arrays_) {
    std::memcpy(reinterpret_cast<void*>(shared.array->begin), shared.contents.as<char>(),
                shared.array->end - shared.array->begin);
    std::vector<uint8_t>& known = shared.array->written;
    for (size_t word = 0; word < std::min(shared.words, known.size()); ++word)
      for (const SharedMemory& memory : shared.touched)
        known[word] |= memory.as<Touched>()[word] & touchedByWrite;
  }
}

}  // namespace simt
#endif
