// Long integers, part by part: add.cc, addc, sub.cc, subc, mad.cc and madc. The carry is a
// predicate, the last of the results of who makes it and of the operands of who takes it.
#include <type_traits>

#include "estimate/gpu_code/lanes.h"
#include "estimate/gpu_code/modes.h"

namespace estimate::gpu_code {
namespace {

__extension__ typedef __int128 Int128;
__extension__ typedef unsigned __int128 Unsigned128;

template <typename T>
void carry(WarpContext& c, const Instruction& i, uint32_t lanes) {
  using U = std::make_unsigned_t<T>;
  using Product = std::conditional_t<std::is_signed_v<T>, Int128, Unsigned128>;
  constexpr unsigned bits = 8 * sizeof(T);
  const bool isProduct = i.mode == modes::product;
  const T* a = c.from<T>(i.from_[0], 0);
  const T* b = c.from<T>(i.from_[1], 1);
  const T* e = isProduct ? c.from<T>(i.from_[2], 2) : nullptr;
  const bool takes = i.from_.size() > (isProduct ? 3 : 2);
  const uint32_t before = takes ? c.predicate(i.from_.back()) : 0;
  uint32_t after = 0;
  forLanes(lanes, [&](unsigned l) {
    const unsigned in = before >> l & 1;
    Unsigned128 all;
    if (isProduct) {
      const Product product = Product(a[l]) * Product(b[l]);
      all = Unsigned128(U(i.high ? product >> bits : product)) + U(e[l]) + in;
    } else if (i.mode == modes::sum) {
      all = Unsigned128(U(a[l])) + U(b[l]) + in;
    } else {  // what is borrowed is a carry, too
      all = Unsigned128(U(a[l])) - U(b[l]) - in;
    }
    after |= uint32_t(all >> bits & 1) << l;
    put(c, i.to[0], l, T(all));
  });
  if (i.to.size() > 1) c.setPredicate(i.to[1], lanes, after);
}

}  // namespace

Handler carryHandler(const Instruction& i) {
  if (i.op != Op::carry) return nullptr;
  switch (i.type) {
    case Type::s32: return carry<int32_t>;
    case Type::u64: return carry<uint64_t>;
    case Type::s64: return carry<int64_t>;
    default: return carry<uint32_t>;
  }
}

}  // namespace estimate::gpu_code
