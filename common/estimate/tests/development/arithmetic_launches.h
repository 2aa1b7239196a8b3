// Launches of arithmetic.cuh, and what their results are.
#pragma once

#include "arithmetic.cuh"
#include "shared.h"

namespace development {

// A whole card's threads, each with some values of a type that go on their way.
template <typename Next, typename T, unsigned chains>
void addChains(Lists& l, const std::string& name, T a, T b, unsigned steps = 1024) {
  const unsigned blocks = l.few(1056);
  const size_t threads = size_t(blocks) * 256;
  const Expected expected = [](size_t i) {
    double sum = 0;
    for (unsigned c = 0; c < chains; ++c) sum += double(1 + (i + c) % 64);
    return sum;
  };
  T* const to = reinterpret_cast<T*>(l.out());
  const std::function<double(T)> found = [](T v) {
    if constexpr (std::is_same_v<T, __half2>)
      return double(__half2float(v.x));
    else
      return double(v);
  };
  l.list.add({"chains", fmt::format("{}: {} a thread", name, chains), threads},
             Shape(dim3(blocks), 256), resultsAre<T>(to, threads, expected, 1e-3, found),
             chainsOf<Next, T, chains>, to, steps, a, b);
}

inline void addAllChains(Lists& l) {
  addChains<MultiplyAdd, float, 1>(l, "float chains", 1.0f, 0.0f);
  addChains<MultiplyAdd, float, 8>(l, "float chains", 1.0f, 0.0f);
  addChains<MultiplyAdd, float, 64>(l, "float chains", 1.0f, 0.0f, 128);
  addChains<MultiplyAdd, double, 1>(l, "double chains", 1.0, 0.0, 512);
  addChains<MultiplyAdd, double, 8>(l, "double chains", 1.0, 0.0, 512);
  addChains<HalvesMultiplyAdd, __half2, 8>(l, "pairs of halves", __float2half2_rn(1.0f),
                                           __float2half2_rn(0.0f));
  addChains<MultiplyAdd, unsigned, 1>(l, "multiply-adds of integers", 1u, 0u);
  addChains<MultiplyAdd, unsigned, 8>(l, "multiply-adds of integers", 1u, 0u);
  addChains<AddXor, unsigned, 1>(l, "sums and bits", 1u, 0u);
  addChains<AddXor, unsigned, 8>(l, "sums and bits", 1u, 0u);
  addChains<ShiftMax, unsigned, 4>(l, "shifts and maxima", 1u, 0u);
  addChains<MultiplyAdd, unsigned long long, 4>(l, "wide multiply-adds", 1ull, 0ull, 256);
  addChains<Divide, unsigned, 1>(l, "quotients of integers", 1u, 0u, 128);
  addChains<Divide, unsigned, 4>(l, "quotients of integers", 1u, 0u, 128);
  addChains<Convert, float, 4>(l, "conversions", 1.0f, 0.0f);
  addChains<Invert, float, 1>(l, "reciprocals", 1.0f, 0.0f, 256);
  addChains<Invert, float, 4>(l, "reciprocals", 1.0f, 0.0f, 256);
}

// Four warps on a multiprocessor.
template <unsigned by>
void addUnrolled(Lists& l) {
  const unsigned blocks = l.few(132), steps = 8192;
  l.list.add({"low occupancy", fmt::format("chain of 8,192: unrolled by {}", by), blocks * 128},
             Shape(dim3(blocks), 128),
             l.floatsAre([](size_t i) { return double(i % 64); }, size_t(blocks) * 128),
             unrolledChain<by>, l.a.out.data(), steps, 1.0f, 0.0f);
}

template <unsigned values>
void addRegisters(Lists& l) {
  const unsigned blocks = l.few(1056);
  const size_t threads = std::min(size_t(blocks) * 128, l.a.n / values / 128 * 128);
  if (threads == 0) return;
  const Expected expected = [=](size_t i) {
    double sum = 0;
    for (unsigned k = 0; k < values; ++k) sum += valueX(i + k * threads);
    return sum;
  };
  l.list.add({"registers", fmt::format("registers: {} values a thread", values), threads},
             Shape(threads, 128), l.floatsAre(expected, threads), manyRegisters<values>, l.x(),
             l.a.out.data(), 64u, 1.0f, 0.0f);
}

inline void addRegistersAndFunctions(Lists& l) {
  addUnrolled<1>(l), addUnrolled<4>(l), addUnrolled<16>(l);
  addRegisters<32>(l), addRegisters<64>(l), addRegisters<128>(l), addRegisters<200>(l);
  const size_t n = l.a.n / 4;
  l.list.add({"functions", "exponentials and a sine", n}, Shape(n, 256),
             l.floatsAre(
                 [](size_t i) {
                   const double v = valueX(i);
                   return std::log(1 + std::exp(v)) + std::sin(v);
                 },
                 n),
             exponentials, l.x(), l.a.out.data(), n);
}

inline void addConstantsAndLocals(Lists& l) {
  const unsigned blocks = l.few(1056);
  const size_t threads = size_t(blocks) * 256;
  for (const unsigned different : {1u, 4u, 32u})
    l.list.add({"constants", fmt::format("constants: {} of a warp", different), threads},
               Shape(dim3(blocks), 256), l.floatsAre([](size_t) { return 4 * 63.0 * 32; }, threads),
               constants, l.a.out.data(), 256u, different);
  const auto local = [&](auto size, const auto kernel) {
    constexpr unsigned places = decltype(size)::value;
    l.list.add({"arrays of a thread", fmt::format("array of a thread: {} words", places), threads},
               Shape(dim3(blocks), 256),
               l.are([](size_t) { return places * (places - 1.0) / 2 + 256; }, threads), kernel,
               l.integers(), l.out(), 256u);
  };
  local(std::integral_constant<unsigned, 16>(), localArray<16>);
  local(std::integral_constant<unsigned, 256>(), localArray<256>);
}

inline void addPartingLanes(Lists& l) {
  const unsigned blocks = l.few(1056);
  const size_t threads = size_t(blocks) * 256;
  const Expected same = [](size_t i) { return double(i % 64); };
  l.list.add({"parting lanes", "turns of a loop: differ by thread", threads},
             Shape(dim3(blocks), 256), l.floatsAre(same, threads), differentTurns<false>,
             l.integers(), l.a.out.data(), 1.0f, 0.0f);
  l.list.add({"parting lanes", "turns of a loop: differ by warp", threads},
             Shape(dim3(blocks), 256), l.floatsAre(same, threads), differentTurns<true>,
             l.integers(), l.a.out.data(), 1.0f, 0.0f);
  l.list.add({"parting lanes", "two ways", threads}, Shape(dim3(blocks), 256),
             l.floatsAre(same, threads), twoWays, l.a.out.data(), 512u, 1.0f, 0.0f);
}

inline void addFewThreads(Lists& l) {
  const unsigned busy = l.few(132);
  l.list.add({"few threads", "an idle last block", busy * 256}, Shape(dim3(busy + 1), 256),
             l.floatsAre([](size_t i) { return double(i % 64); }, size_t(busy) * 256), lastIsIdle,
             l.a.out.data(), 8192u, 1.0f, 0.0f);
  const auto serial = [&](const std::string& who, unsigned threads, unsigned n) {
    n = unsigned(std::min<size_t>(n, l.a.n));
    l.list.add({"few threads", "sum of one after the other: " + who, n}, Shape(dim3(1), threads),
               l.are(
                   [=](size_t i) {
                     unsigned sum = 0;
                     for (size_t k = i; k < n; k += threads) sum += integerAt(k);
                     return double(sum);
                   },
                   threads),
               serialSum, l.integers(), l.out(), n);
  };
  serial("a thread", 1, 1 << 15);
  serial("a warp", 32, 1 << 18);
  serial("a block", 1024, 1 << 21);
  const unsigned within = unsigned(std::min<size_t>(l.a.n, 1 << 20)), steps = 4096;
  l.list.add({"few threads", "hops of a thread", 1}, Shape(dim3(1), 1),
             l.are(
                 [=](size_t) {
                   unsigned at = 1;
                   for (unsigned k = 0; k < steps; ++k)
                     at = (integerAt(at % within) ^ at * 2654435761u) >> 3;
                   return double(at);
                 },
                 1),
             hops, l.integers(), l.out(), steps, within);
}

}  // namespace development
