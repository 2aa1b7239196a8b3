// Fragments of matrices. Where a lane has which element of wmma's, CUDA does not say: here as in
// those of mma.sync, of which the GPU makes them.
#include "estimate/gpu_code/matrices.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <utility>

#include "estimate/gpu_code/costs_state.h"
#include "estimate/gpu_code/lanes.h"
#include "estimate/gpu_code/reader.h"

namespace estimate::gpu_code {
namespace {

enum class Matrix : uint8_t { left, right, sum };

struct MatrixShape {
  unsigned m = 0, n = 0, k = 0;
  Type factor = Type::f16, before = Type::f32, result = Type::f32;
  bool isRounded = false;  // tf32: 32 bits in a register, of which 19 count
};

unsigned bitsOf(const MatrixShape& s) { return s.isRounded ? 32 : 8 * bytesOf(s.factor); }
// Elements that share a register.
unsigned together(Matrix part, const MatrixShape& s, Type sum) {
  const unsigned bits = part == Matrix::sum ? 8 * bytesOf(sum) : bitsOf(s);
  return std::max(1u, 32 / bits);
}

MatrixShape shapeOf(const Instruction& i) {
  MatrixShape s;
  std::vector<Type> types;
  const std::string_view name = i.name;
  for (size_t at = 0; at < name.size();) {
    const size_t end = std::min(name.find('.', at), name.size());
    const std::string_view part = name.substr(at, end - at);
    at = end + 1;
    unsigned numbers[3] = {}, count = 0;
    for (const char c : part) {
      if (count < 3 && c == "mnk"[count])
        ++count;
      else if (count > 0 && count <= 3 && c >= '0' && c <= '9')
        numbers[count - 1] = std::min(numbers[count - 1], 1000u) * 10 + unsigned(c - '0');
      else
        count = 4;
    }
    if (count == 3 && s.m == 0) s.m = numbers[0], s.n = numbers[1], s.k = numbers[2];
    if (part == "tf32") s.isRounded = true, types.push_back(Type::f32);
    if (const Type type = typeNamed(part); type != Type::none) types.push_back(type);
  }
  const auto isNumber = [](Type type) {
    const auto all = {Type::f64, Type::f32, Type::f16, Type::bf16, Type::s32, Type::s8, Type::u8};
    return std::ranges::find(all, type) != all.end();
  };
  constexpr std::array<std::pair<unsigned, unsigned>, 5> sums = {
      {{8, 8}, {16, 8}, {16, 16}, {32, 8}, {8, 32}}};
  if (types.empty() || !std::ranges::all_of(types, isNumber) ||
      std::ranges::find(sums, std::pair(s.m, s.n)) == sums.end() || !std::has_single_bit(s.k) ||
      s.k < 4 || s.k > 32)
    throw Unsupported(i.name + " is not known here");
  s.result = s.before = types.front();
  if (types.size() >= 4) s.factor = types[1], s.before = types[3];
  if (types.size() == 2) s.before = types[1];
  if (types.size() == 1) s.factor = types[0];
  if (s.k * bitsOf(s) < 128)
    throw Unsupported(i.name + " is not known here");  // quarters of a warp
  return s;
}

bool isTransfer(const Instruction& i) {
  return i.op == Op::wmma && i.name.find(".mma.") == std::string::npos;
}
Matrix partOf(const Instruction& i) {
  return i.name.starts_with("wmma.load.a")   ? Matrix::left
         : i.name.starts_with("wmma.load.b") ? Matrix::right
                                             : Matrix::sum;
}
unsigned rowsOf(Matrix part, const MatrixShape& s) { return part == Matrix::right ? s.k : s.m; }
unsigned columnsOf(Matrix part, const MatrixShape& s) { return part == Matrix::left ? s.k : s.n; }
unsigned registersOf(Matrix part, const MatrixShape& s, Type sum) {
  return rowsOf(part, s) * columnsOf(part, s) / 32 / together(part, s, sum);
}

struct Element {
  unsigned row, column;
};
// Which one is in a lane's register, there the e-th.
Element elementOf(Matrix part, const MatrixShape& s, Type sum, unsigned reg, unsigned e,
                  unsigned lane) {
  const unsigned group = lane / 4, inGroup = lane % 4, each = together(part, s, sum);
  if (part == Matrix::sum) {
    const unsigned at = reg * each + e, inTile = s.m == 8 ? 2 : 4, tile = at / inTile;
    const unsigned of = at % inTile, column = 2 * inGroup + of % 2, row = group + of / 2 * 8;
    return s.m == 32 ? Element{row + 16 * tile, column} : Element{row, column + 8 * tile};
  }
  const unsigned along = inGroup * each + e, step = 4 * each;
  if (part == Matrix::right) {
    const unsigned inTile = s.k / step;
    return {along + reg % inTile * step, group + 8 * (reg / inTile)};
  }
  if (s.m == 8) return {group, along + reg * step};
  const unsigned inTile = 2 * s.k / step, of = reg % inTile;
  return {group + of % 2 * 8 + 16 * (reg / inTile), along + of / 2 * step};
}

double valueOf(uint64_t bits, Type type) {
  switch (type) {
    case Type::f64: return __builtin_bit_cast(double, bits);
    case Type::f32: return __builtin_bit_cast(float, uint32_t(bits));
    case Type::f16: return fromHalf(uint16_t(bits));
    case Type::bf16: return fromBrain(uint16_t(bits));
    case Type::s32: return int32_t(bits);
    case Type::s8: return int8_t(bits);
    default: return uint8_t(bits);
  }
}
uint64_t bitsOf(double value, Type type) {
  switch (type) {
    case Type::f64: return __builtin_bit_cast(uint64_t, value);
    case Type::f32: return __builtin_bit_cast(uint32_t, float(value));
    case Type::f16: return toHalf(float(value));
    default: return uint32_t(int32_t(std::clamp(value, -2147483648.0, 2147483647.0)));
  }
}

uint64_t registerOf(WarpContext& c, const Operand& o, unsigned lane) {
  return o.bytes == 8 ? c.from<uint64_t>(o, 0)[lane] : c.from<uint32_t>(o, 0)[lane];
}

using Dense = std::array<double, 32 * 32>;

void gather(WarpContext& c, const Operand* from, Matrix part, const MatrixShape& s, Type sum,
            Dense& to) {
  const unsigned each = together(part, s, sum), columns = columnsOf(part, s);
  const Type type = part == Matrix::sum ? sum : s.factor;
  for (unsigned r = 0; r < registersOf(part, s, sum); ++r)
    for (unsigned lane = 0; lane < 32; ++lane) {
      const uint64_t bits = registerOf(c, from[r], lane);
      for (unsigned e = 0; e < each; ++e) {
        const Element at = elementOf(part, s, sum, r, e, lane);
        to[at.row * columns + at.column] = valueOf(bits >> (32 / each % 32 * e), type);
      }
    }
}

void multiply(WarpContext& c, const Instruction& i, uint32_t) {
  const MatrixShape s = shapeOf(i);
  const bool isOfFragments = i.op == Op::wmma && i.to.size() + i.from_.size() > 8;
  unsigned left = registersOf(Matrix::left, s, s.before),
           right = registersOf(Matrix::right, s, s.before);
  const unsigned sums = registersOf(Matrix::sum, s, s.before);
  // Of halves a fragment has eight registers, whatever its shape.
  if (isOfFragments && s.factor == Type::f16) left = right = 8;
  if (i.from_.size() < left + right + sums || i.to.size() < registersOf(Matrix::sum, s, s.result))
    throw Unsupported(i.name + " is not known here");
  static thread_local Dense a, b, sum;
  gather(c, i.from_.data(), Matrix::left, s, s.before, a);
  gather(c, i.from_.data() + left, Matrix::right, s, s.before, b);
  gather(c, i.from_.data() + left + right, Matrix::sum, s, s.before, sum);
  for (unsigned row = 0; row < s.m; ++row)
    for (unsigned k = 0; k < s.k; ++k)
      for (unsigned column = 0; column < s.n; ++column) {
        double& to = sum[row * s.n + column];
        to = std::fma(a[row * s.k + k], b[k * s.n + column], to);
      }
  const unsigned each = together(Matrix::sum, s, s.result);
  for (unsigned r = 0; r < registersOf(Matrix::sum, s, s.result); ++r)
    for (unsigned lane = 0; lane < 32; ++lane) {
      uint64_t bits = 0;
      for (unsigned e = 0; e < each; ++e) {
        const Element at = elementOf(Matrix::sum, s, s.result, r, e, lane);
        bits |= bitsOf(sum[at.row * s.n + at.column], s.result) << (16 * e);
      }
      std::memcpy(c.frame + i.to[r].place + lane * i.to[r].bytes, &bits, i.to[r].bytes);
    }
  c.space = Space::param;
}

// Between a place of memory and the low bytes of a lane's register.
void move(WarpContext& c, uint64_t address, uint8_t* own, unsigned bytes, bool stores) {
  if (c.space == Space::shared) {
    if (address >= c.shared->size() || c.shared->size() - address < bytes)
      throw Unsupported("a fragment of no memory");
    uint8_t* const there = c.shared->data() + address;
    stores ? std::memcpy(there, own, bytes) : std::memcpy(own, there, bytes);
  } else if (stores) {
    c.memory->write(address, own, bytes);
  } else {
    c.memory->read(address, own, bytes);
  }
}

// The address of a lane, in the space that it then is.
uint64_t addressOf(WarpContext& c, const Instruction& i, unsigned lane) {
  const Operand& where = i.from_[0];
  const auto* base = c.frame + where.place;
  uint64_t address = uint64_t(where.offset);
  if (where.reg != none)
    address += where.bytes == 4 ? reinterpret_cast<const uint32_t*>(base)[lane]
                                : reinterpret_cast<const uint64_t*>(base)[lane];
  c.space = i.space;
  if (i.space == Space::generic || where.reg == none) {
    if (where.reg == none) address = c.addressOf(where);
    c.space = address - sharedBase < windowBytes ? Space::shared : Space::global;
    if (c.space == Space::shared) address -= sharedBase;
  }
  return address;
}

bool isByRows(const Instruction& i) { return i.name.find(".row") != std::string::npos; }
// Along rows of a left factor, or columns of a right one, the elements of a register are
// neighbours.
bool liesAsTaken(const Instruction& i, Matrix part) {
  return isByRows(i) != (part == Matrix::right);
}

void transfer(WarpContext& c, const Instruction& i, uint32_t) {
  const MatrixShape s = shapeOf(i);
  const Matrix part = partOf(i);
  const bool stores = storesMatrix(i);
  const Type sum = s.result;
  const unsigned pitch = c.from<uint32_t>(i.from_.back(), 0)[0];
  const unsigned bytes = part == Matrix::sum ? bytesOf(sum) : bitsOf(s) / 8;
  const unsigned each = together(part, s, sum);
  const size_t count = stores ? i.from_.size() - 2 : i.to.size(), all = registersOf(part, s, sum);
  const auto placeOf = [&](Element at) -> uint64_t {
    return bytes *
           (isByRows(i) ? size_t(at.row) * pitch + at.column : size_t(at.column) * pitch + at.row);
  };
  const bool isWhole = i.vector >= bytes * each;  // and not a register's single elements
  const size_t first = isWhole ? i.combine * count : i.combine / each;
  for (unsigned lane = 0; lane < 32; ++lane) {
    const uint64_t base = addressOf(c, i, lane);
    Element of = elementOf(part, s, sum, unsigned(first), isWhole ? 0 : i.combine % each, lane);
    if (i.vector == 16 && bytes < 4) {  // eight or 16 neighbours
      const unsigned outer = part == Matrix::left ? s.m : s.n, inRow = 16 / bytes;
      const unsigned tile = std::min(16 * 2 / bytes, outer), far = i.combine * tile;
      const unsigned deep = std::min(16u, s.k);
      const bool taken = liesAsTaken(i, part);
      const unsigned index = far + (taken ? lane % tile : lane / deep % 2 * inRow % tile);
      const unsigned along = taken ? lane / tile % 2 * inRow % s.k : lane % deep;
      of = part == Matrix::left ? Element{index, along} : Element{along, index};
    } else if (each > 1 && isWhole && !liesAsTaken(i, part)) {  // eight by eight they are turned
      of = {of.row / 8 * 8 + lane % 4 * each % 8, of.column / 8 * 8 + lane / 4};
      if (part == Matrix::right)
        of = {of.row / 8 * 8 + lane / 4, of.column / 8 * 8 + lane % 4 * each % 8};
    }
    c.addresses[lane] = base + placeOf(of);
    for (size_t r = first; r < std::min(first + count, all); ++r) {
      const Operand& reg = stores ? i.from_[1 + r - first] : i.to[r - first];
      uint8_t* const own = c.frame + reg.place + lane * reg.bytes;
      for (unsigned e = 0; e < each; ++e) {
        if (!isWhole && e != i.combine % each) continue;
        const Element at = elementOf(part, s, sum, unsigned(r), e, lane);
        move(c, base + placeOf(at), own + e * bytes, bytes, stores);
      }
    }
  }
}

// Eight by eight of 16 bits each, of which each lane says where a row is and has two neighbours.
void moveRows(WarpContext& c, const Instruction& i, uint32_t) {
  const bool stores = storesMatrix(i), turned = i.name.find(".trans") != std::string::npos;
  const size_t count = stores ? i.from_.size() - 1 : i.to.size();
  if (i.name.find(".m8n8.") == std::string::npos || count > 4)
    throw Unsupported(i.name + " is not known here");
  uint64_t rows[32];
  for (unsigned lane = 0; lane < 32; ++lane)
    c.addresses[lane] = rows[lane] = addressOf(c, i, lane % unsigned(8 * count));
  for (size_t r = 0; r < count; ++r)
    for (unsigned lane = 0; lane < 32; ++lane) {
      const Operand& reg = stores ? i.from_[1 + r] : i.to[r];
      uint8_t* const own = c.frame + reg.place + lane * reg.bytes;
      for (unsigned e = 0; e < 2; ++e) {
        const unsigned row = lane / 4, column = lane % 4 * 2 + e;
        move(c, rows[8 * r + (turned ? column : row)] + 2 * (turned ? row : column), own + 2 * e, 2,
             stores);
      }
    }
}

}  // namespace

bool multipliesMatrices(const Instruction& i) {
  return i.op == Op::mma || (i.op == Op::wmma && i.name.find(".mma.") != std::string::npos);
}

bool storesMatrix(const Instruction& i) {
  return i.name.starts_with("wmma.store") || i.name.starts_with("stmatrix");
}

uint32_t lanesThatAsk(const Instruction& i, uint32_t lanes) {
  if (!isTransfer(i) || i.vector != 16 || i.name.starts_with("wmma.store")) return lanes;
  const size_t registers = storesMatrix(i) ? i.from_.size() - 1 : i.to.size();
  return registers < 4 ? lanes & ((1u << 8 * registers) - 1) : lanes;
}

Handler matrixHandler(const Instruction& i) {
  if (multipliesMatrices(i)) return multiply;
  return i.name.starts_with("wmma") ? transfer : moveRows;
}

std::vector<Instruction> requestsOfFragment(Instruction i) {
  if (multipliesMatrices(i)) shapeOf(i);  // that it is known
  if (!isTransfer(i)) return {std::move(i)};
  i.vector = 16;
  if (!i.name.starts_with("wmma")) return {std::move(i)};
  const MatrixShape s = shapeOf(i);
  const Matrix part = partOf(i);
  const bool stores = storesMatrix(i), isFactor = part != Matrix::sum;
  const unsigned each = together(part, s, s.result), all = registersOf(part, s, s.result);
  const unsigned bytes = isFactor ? bitsOf(s) / 8 : bytesOf(s.result);
  std::vector<Operand> registers =
      stores ? std::vector(i.from_.begin() + 1, i.from_.end() - 1) : i.to;
  if (registers.size() < all) throw Unsupported(i.name + " is not known here");
  unsigned count = 1, parts = all;  // registers of each request, and how many of these there are
  i.vector = uint8_t(bytes * each);
  if (isFactor && bytes <= 2 && i.space == Space::shared && (bytes == 2 || liesAsTaken(i, part))) {
    count = std::min(all, 4u), parts = all / count, i.vector = 16;
  } else if (isFactor && bytes == 1 && !liesAsTaken(i, part)) {
    parts = all * each, i.vector = 1;
  } else if (!isFactor && each == 1 && isByRows(i)) {  // two neighbours
    count = 2, parts = all / 2, i.vector = uint8_t(2 * bytes);
  }
  std::vector<Instruction> requests(parts, i);
  for (unsigned p = 0; p < parts; ++p) {
    Instruction& one = requests[p];
    one.combine = uint8_t(p);
    const size_t first = i.vector == 1 ? p / each : p * count;
    const std::vector<Operand> its(registers.begin() + long(first),
                                   registers.begin() + long(first + count));
    if (p > 0) one.text = {};
    if (!stores) {
      one.to = its;
      continue;
    }
    one.from_ = {i.from_.front()};
    one.from_.insert(one.from_.end(), its.begin(), its.end());
    one.from_.push_back(i.from_.back());
  }
  return requests;
}

Cost costOfProduct(const Instruction& i) {
  const MatrixShape s = shapeOf(i);
  const bool isHalved = i.op == Op::wmma && s.isRounded;    // wmma's of tf32, by instructions
  const bool isNarrow = isHalved || s.k * bitsOf(s) < 256;  // 128 bits of a row at a time
  float count = 1, unit = isNarrow ? 4.2f : 6.2f, latency = isNarrow ? 17 : 24;
  if (s.factor == Type::f64) {
    unit = std::max(16.0f, float(s.m * s.n * s.k) / 32);
    latency = s.m == 8 ? 26 : 18 + 4 * float(s.k);
  } else {
    count = std::max(1.0f, float(s.m * s.n) / 128 * (isHalved ? 2 : 1));
  }
  Cost cost = times(count, (latency + unit * (count - 1)) / cyclesOfChain);
  cost.unitCycles[2] = unit * count;
  return cost;
}

}  // namespace estimate::gpu_code
