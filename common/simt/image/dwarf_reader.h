// The numbers of which debugging information consists, read one after the other.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace simt {

class DwarfReader {
 public:
  explicit DwarfReader(std::string_view bytes, size_t at = 0) : bytes_(bytes), at_(at) {}
  size_t at() const { return at_; }
  bool atEnd() const { return at_ >= bytes_.size(); }
  void skip(uint64_t bytes) { at_ = std::min<uint64_t>(bytes_.size(), at_ + bytes); }
  void skipText() { skip(bytes_.find('\0', at_) - at_ + 1); }

  uint64_t number(size_t size) {
    uint64_t value = 0;
    if (at_ + size <= bytes_.size()) std::memcpy(&value, bytes_.data() + at_, size);
    skip(size);
    return value;
  }
  uint64_t leb() {
    uint64_t value = 0;
    for (unsigned shift = 0; !atEnd(); shift += 7) {
      const uint64_t byte = number(1);
      if (shift < 64) value |= (byte & 0x7f) << shift;
      if (byte < 0x80) break;
    }
    return value;
  }

 private:
  std::string_view bytes_;
  size_t at_;
};

}  // namespace simt
