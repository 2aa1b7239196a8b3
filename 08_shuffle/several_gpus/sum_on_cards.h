// Calls the kernels of chunk_totals.cuh on every GPU, and NCCL between them.
#pragma once

#include <algorithm>
#include <memory>
#include <optional>
#include <vector>

#include "../reduction_operators.h"
#include "cuda/launch.h"
#include "measure/step.h"
#include "multi_gpu/all_reduce.h"
#include "multi_gpu/repeated_input.h"

// Blocks and threads for chunks of n elements of so many bytes. They depend on nothing else, or a
// floating-point sum would.
struct TileShape {
  unsigned tilesPerChunk, block;

  TileShape(size_t n, size_t elementBytes) {
    const size_t bytes = (n / chunkCount + 64) * elementBytes;  // of the longest chunk, or more
    block = bytes <= 64 * 1024 ? 128 : 1024;
    tilesPerChunk = unsigned(blocksFor(bytes, 64 * block));  // four loads of 16 bytes for a thread
  }
};

// The kernels for an operator and elements of a type, in chunk_totals_kernels.cu.
template <typename Operator, typename T, typename Value = typename Operator::Value>
struct ChunkKernels {
  using TileTotals = void (*)(const T* slice, size_t n, unsigned firstChunk, Value* totals);
  using ChunkTotals = void (*)(const Value* tileTotals, unsigned tilesPerChunk, unsigned firstChunk,
                               unsigned chunks, Value* totals);
  static TileTotals tileTotals();
  static ChunkTotals chunkTotals();
};

template <typename Operator>
constexpr Combination combinationOf =
    std::is_same_v<Operator, Minimum<typename Operator::Value>>   ? Combination::minimum
    : std::is_same_v<Operator, Maximum<typename Operator::Value>> ? Combination::maximum
                                                                  : Combination::sum;

// An array in slices, one on each of the all-reduce's cards, and how they are added up, or another
// operator is applied to them.
template <typename Operator, typename T>
class SumOnCards {
 public:
  using Value = typename Operator::Value;

  // n elements of the input. Cards and all-reduce have to live as long.
  SumOnCards(Cards& cards, AllReduce& allReduce, const RepeatedInput<T>& input, size_t n)
      : cards_(cards),
        allReduce_(allReduce),
        n_(n),
        shape_(n, sizeof(T)),
        parts_(allReduce.count()),
        fetched_(chunkCount) {
    cards_.run(allReduce.count(), [&](unsigned card) {
      parts_[card].emplace(n, card, allReduce_.count(), shape_, input);
    });
  }

  // Of one card's memory, in bytes.
  static double bytesFor(size_t n, unsigned gpus) {
    return double(n) / gpus * sizeof(T) * 1.001 + 1e6 +
           double(RepeatedInput<T>::mostValues) * sizeof(T);
  }

  uint64_t blocks() const {
    return uint64_t(chunkCount) * (shape_.tilesPerChunk + allReduce_.count());
  }

  void poison() {
    cards_.run(allReduce_.count(), [this](unsigned card) {
      parts_[card]->tileTotals.poison();
      parts_[card]->chunkTotals.poison();
      parts_[card]->combined.poison();
    });
  }

  // The whole sum: it ends when all totals are on the host.
  void run() {
    const unsigned gpus = allReduce_.count();
    cards_.run(
        gpus,
        [this, gpus](unsigned card) {
          Part& part = *parts_[card];
          cards_.mark(card, 0);
          launchOn(part);
          cards_.mark(card, 1);
          if (gpus > 1)
            allReduce_.joinOnFirst(card, part.chunkTotals.data(), part.combined.data(), chunkCount,
                                   combinationOf<Operator>);
          cards_.mark(card, 2);
        },
        [this, gpus](unsigned card) {
          const Part& part = *parts_[card];
          if (card == 0)
            copyToHostLater(fetched_.data(), (gpus > 1 ? part.combined : part.chunkTotals).data(),
                            chunkCount);
        },
        "the sum");
  }

  // Gives the totals to every process.
  void fetch() { cards_.shareOfCard0(fetched_.data(), chunkCount); }

  // What the last run found, after fetch(): the chunks' totals, and all of them joined in their
  // order.
  std::vector<Value> totals() const { return {fetched_.begin(), fetched_.end()}; }
  Value total() const {
    Value total = Operator::identity;
    for (const Value value : fetched_)
      if constexpr (combinationOf<Operator> == Combination::sum)
        total += value;
      else
        total = combinationOf<Operator> == Combination::minimum ? std::min(total, value)
                                                                : std::max(total, value);
    return total;
  }

 private:
  // What one card has.
  struct Part {
    Part(size_t n, unsigned card, unsigned gpus, TileShape shape, const RepeatedInput<T>& input)
        : slice(sliceOf(n, card, gpus)),
          data(slice.count, "a slice"),
          tileTotals(size_t(slice.chunks) * shape.tilesPerChunk, "tileTotals"),
          chunkTotals(chunkCount, "chunkTotals"),
          combined(chunkCount, "combined") {
      DeviceArray<T> pattern(input.values().size(), "the input's values");
      pattern.copyFromHost(input.values().data());
      input.fill(data.data(), slice.begin, slice.count, pattern);
    }
    Slice slice;
    DeviceArray<T> data;
    DeviceArray<Value> tileTotals, chunkTotals, combined;
  };

  void launchOn(Part& part) {
    const Slice slice = part.slice;
    launch(dim3(shape_.tilesPerChunk, slice.chunks), dim3(shape_.block),
           ChunkKernels<Operator, T>::tileTotals(), static_cast<const T*>(part.data.data()), n_,
           slice.firstChunk, part.tileTotals.data());
    launch(dim3(chunkCount), dim3(64), ChunkKernels<Operator, T>::chunkTotals(),
           static_cast<const Value*>(part.tileTotals.data()), shape_.tilesPerChunk,
           slice.firstChunk, slice.chunks, part.chunkTotals.data());
  }

  Cards& cards_;
  AllReduce& allReduce_;
  size_t n_;
  TileShape shape_;
  std::vector<std::optional<Part>> parts_;
  HostArray<Value> fetched_;
};
