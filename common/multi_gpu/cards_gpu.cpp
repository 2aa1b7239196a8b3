// The GPUs of this machine, each driven by a thread of its own.
#include <fmt/core.h>

#include "multi_gpu/cards.h"

namespace {

int gpusHere() {
  int count = 0;
  CUDA_CHECK(cudaGetDeviceCount(&count));
  return count;
}

// A GPU can be there and refuse: it may be another program's alone, or have fallen off the bus.
void mustWork(cudaError_t status, unsigned card) {
  if (status == cudaSuccess) return;
  cudaGetLastError();
  throw Error(exitNoDevice,
              fmt::format("GPU {} cannot be used ({}): leave it out with CUDA_VISIBLE_DEVICES",
                          card, cudaGetErrorString(status)));
}

void mustBeAlike(unsigned card) {
  cudaDeviceProp first, other;
  mustWork(cudaGetDeviceProperties(&first, 0), 0);
  mustWork(cudaGetDeviceProperties(&other, int(card)), card);
  if (std::string(first.name) != other.name ||
      first.multiProcessorCount != other.multiProcessorCount)
    throw Error(exitUsage, fmt::format("GPU 0 is an {} with {} multiprocessors and GPU {} an {} "
                                       "with {}: choose equal ones with CUDA_VISIBLE_DEVICES",
                                       first.name, first.multiProcessorCount, card, other.name,
                                       other.multiProcessorCount));
}

}  // namespace

Cards::Cards(unsigned count, const Machine& machine, const std::string& program)
    : count_(count), freeBytes_(machine.freeBytes) {
  const int here = gpusHere();
  if (count_ == 0) count_ = unsigned(here);
  if (int(count_) > here)
    throw Error(exitUsage, fmt::format("--gpus {}: this machine has {}{}", count_, here,
                                       here == 1 ? " GPU" : " GPUs"));
  for (unsigned card = 0; card < count_; ++card) mustBeAlike(card);
  marks_.resize(count_);
  crew_ = std::make_unique<Crew>(count_, program);
  for (unsigned card = 0; card < count_; ++card) open(card);
}

Cards::~Cards() = default;

// Makes the card's thread use it from now on.
void Cards::open(unsigned card) {
  crew_->run(
      count_,
      [&](unsigned member) {
        if (member != card) return;
        mustWork(cudaSetDevice(int(card)), card);
        marks_[card] = std::make_unique<Mark[]>(3);
        size_t free = 0, total = 0;
        mustWork(cudaMemGetInfo(&free, &total), card);
        freeBytes_ = std::min(freeBytes_, free);
      },
      fmt::format("opening GPU {}", card));
}

void Cards::run(unsigned cards, const Work& work, const Work& afterAll, const char* what,
                double seconds) {
  crew_->run(
      cards,
      [&](unsigned card) {
        work(card);
        if (afterAll) afterAll(card);
        CUDA_CHECK(cudaStreamSynchronize(nullptr));
      },
      what, Crew::Seconds(seconds));
}

void Cards::mark(unsigned card, unsigned place) {
  if (marking_) marks_[card][place].record();
}

double Cards::millisecondsBetween(unsigned card, unsigned place, unsigned later) const {
  return marks_[card][later].millisecondsSince(marks_[card][place]);
}
