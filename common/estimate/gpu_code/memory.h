// The program's memory as a kernel finds it, and what the kernel writes there, apart: pages are
// copied when they are first touched, and the program never sees a change.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <unordered_map>
#include <vector>

namespace estimate::gpu_code {

// Where the spaces lie among generic addresses. No program's memory is there.
constexpr uint64_t variablesBase = 0x7100'0000'0000'0000, sharedBase = 0x7200'0000'0000'0000,
                   localBase = 0x7300'0000'0000'0000;
constexpr uint64_t windowBytes = uint64_t(1) << 40;

class Memory {
 public:
  static constexpr size_t pageBytes = 4096;
  // Fills a page of the window of variables.
  using Filler = std::function<void(uint64_t address, uint8_t* page)>;
  explicit Memory(Filler variables) : variables_(std::move(variables)) {}

  // The bytes at an address, all in one page. Throws Unsupported where there is no memory.
  uint8_t* at(uint64_t address) {
    const uint64_t number = address / pageBytes;
    Recent& recent = recent_[number % recents];
    if (recent.number != number) recent = {number, page(number)};
    return recent.bytes + address % pageBytes;
  }
  void read(uint64_t address, void* to, size_t bytes);
  void write(uint64_t address, const void* from, size_t bytes);

 private:
  struct Recent {
    uint64_t number = UINT64_MAX;
    uint8_t* bytes = nullptr;
  };
  uint8_t* page(uint64_t number);

  Filler variables_;
  std::unordered_map<uint64_t, std::unique_ptr<uint8_t[]>> pages_;
  static constexpr size_t recents = 16384;  // more than a small stack has room for
  std::unique_ptr<Recent[]> recent_ = std::make_unique<Recent[]>(recents);
};

}  // namespace estimate::gpu_code
