// NCCL, loaded when it is needed: a program that was built with it also starts without.
#include <fmt/core.h>

#include <exception>
#include <vector>

#include "multi_gpu/all_reduce.h"
#include "multi_gpu/shared_library.h"

namespace {

const std::string install =
    "several GPUs need NCCL (Debian and Ubuntu with NVIDIA's package source: libnccl2 and "
    "libnccl-dev; pip: nvidia-nccl-cu13, and its folder lib in LD_LIBRARY_PATH)";

}  // namespace

#if !__has_include(<nccl.h>)

struct AllReduce::Communicators {};

AllReduce::AllReduce(Cards&, unsigned count) : count_(count) {
  if (count > 1)
    throw Error(exitNoDevice, "built without nccl.h: " + install + ", then build anew");
}
AllReduce::~AllReduce() = default;
void AllReduce::join(unsigned, const Exchange&) {}
std::string AllReduce::name() const { return "no NCCL"; }

#else
#include <nccl.h>

namespace {

struct Nccl {
  decltype(ncclGetVersion)* getVersion;
  decltype(ncclGetErrorString)* errorString;
  decltype(ncclGetUniqueId)* getUniqueId;
  decltype(ncclCommInitRank)* commInitRank;
  decltype(ncclCommDestroy)* commDestroy;
  decltype(ncclAllReduce)* allReduce;

  Nccl() {
    const SharedLibrary library("libnccl.so.2", install);
    library.find("ncclGetVersion", getVersion);
    library.find("ncclGetErrorString", errorString);
    library.find("ncclGetUniqueId", getUniqueId);
    library.find("ncclCommInitRank", commInitRank);
    library.find("ncclCommDestroy", commDestroy);
    library.find("ncclAllReduce", allReduce);
  }

  void check(ncclResult_t status, ExitCode code, const std::string& what) const {
    if (status != ncclSuccess)
      throw Error(code, fmt::format("NCCL: {}: {}", what, errorString(status)));
  }
};

const Nccl& nccl() {
  static const Nccl loaded;
  return loaded;
}

ncclDataType_t typeOf(NumberType type) {
  switch (type) {
    case NumberType::int32: return ncclInt32;
    case NumberType::int64: return ncclInt64;
    case NumberType::float32: return ncclFloat32;
    default: return ncclFloat64;
  }
}

ncclRedOp_t operationOf(Combination how) {
  return how == Combination::sum ? ncclSum : how == Combination::minimum ? ncclMin : ncclMax;
}

}  // namespace

struct AllReduce::Communicators {
  std::vector<ncclComm_t> ofCard;
};

AllReduce::AllReduce(Cards& cards, unsigned count)
    : count_(count), communicators_(std::make_unique<Communicators>()) {
  if (count < 2) return;
  ncclUniqueId id{};
  if (cards.isHere(0)) nccl().check(nccl().getUniqueId(&id), exitNoDevice, "cannot begin");
  cards.shareOfCard0(&id, 1);
  communicators_->ofCard.resize(count, nullptr);
  cards.run(
      count,
      [&](unsigned card) {
        const ncclResult_t status =
            nccl().commInitRank(&communicators_->ofCard[card], int(count), id, int(card));
        size_t free = 0, total = 0;
        if (status != ncclSuccess && cudaMemGetInfo(&free, &total) != cudaSuccess) free = 0;
        nccl().check(status, exitNoDevice,
                     fmt::format("GPU {}, which has {} MiB of its memory free, cannot be set up",
                                 card, free >> 20));
      },
      {}, "setting up NCCL");
}

// The end of a communicator waits for those of the others, which may never come when something has
// failed; the program ends then anyway.
AllReduce::~AllReduce() {
  if (std::uncaught_exceptions() > 0) return;
  for (const ncclComm_t communicator : communicators_->ofCard)
    if (communicator) nccl().commDestroy(communicator);  // null for a card of another process
}

void AllReduce::join(unsigned card, const Exchange& e) {
  nccl().check(nccl().allReduce(e.values, e.combined, e.count, typeOf(e.type), operationOf(e.how),
                                communicators_->ofCard[card], nullptr),
               exitWrong, fmt::format("the all-reduce of GPU {}", card));
}

std::string AllReduce::name() const {
  if (count_ < 2) return "";
  int version = 0;
  nccl().check(nccl().getVersion(&version), exitNoDevice, "it has no version");
  return fmt::format("NCCL {}.{}.{}", version / 10000, version / 100 % 100, version % 100);
}

#endif
