// The GPUs of this machine, each driven by a thread of its own.
#include <fmt/core.h>

#include "base/program_main.h"
#include "measure/timer.h"
#include "multi_gpu/cards.h"

namespace {

int gpusHere() {
  int count = 0;
  if (cudaGetDeviceCount(&count) != cudaSuccess) cudaGetLastError();
  return count;
}

// A GPU can be there and refuse: it may be another program's alone, or have fallen off the bus.
void mustWork(cudaError_t status, unsigned card) {
  if (status == cudaSuccess) return;
  cudaGetLastError();
  throw Error(exitNoDevice, refusalOf(card, cudaGetErrorString(status)));
}

void copyText(char (&to)[64], const std::string& text) { text.copy(to, sizeof to - 1); }

}  // namespace

int deviceFor(const Ranks& ranks) {
  const int here = gpusHere();
  return here > 0 ? int(ranks.local()) % here : int(ranks.local());
}

Cards::Cards(unsigned count, Machine& machine, const std::string& program, Ranks& ranks)
    : ranks_(ranks) {
  const int here = gpusHere();
  take(count, unsigned(here));
  if (!ranks.several() && int(count_) > here)
    throw Error(exitUsage, fmt::format("--gpus {}: this machine has {}{}", count_, here,
                                       here == 1 ? " GPU" : " GPUs"));
  marks_.resize(here_);
  crew_ = std::make_unique<Crew>(here_, program, [this] { ranks_.watch(); });
  std::vector<CardFacts> facts;
  for (unsigned card = first_; card < first_ + here_; ++card) facts.push_back(open(card));
  for (CardFacts& card : facts) card.hostFreeBytes = machine.hostFreeBytes;
  agree(facts, machine);
}

Cards::~Cards() = default;

// Makes the card's thread use it from now on.
CardFacts Cards::open(unsigned card) {
  const int device = ranks_.several() ? deviceFor(ranks_) : int(card);
  CardFacts facts;
  const auto use = [&](unsigned member) {
    if (member != card - first_) return;
    mustWork(cudaSetDevice(device), card);
    marks_[member] = std::make_unique<Mark[]>(3);
    size_t total = 0;
    mustWork(cudaMemGetInfo(&facts.freeBytes, &total), card);
    cudaDeviceProp properties;
    mustWork(cudaGetDeviceProperties(&properties, device), card);
    copyText(facts.name, properties.name);
    mustWork(cudaDeviceGetPCIBusId(facts.id, sizeof facts.id, device), card);
    facts.multiprocessors = properties.multiProcessorCount;
  };
  crew_->run(here_, use, fmt::format("opening GPU {}", card));
  copyText(facts.host, ranks_.host());
  return facts;
}

void Cards::run(unsigned cards, const Work& work, const Work& afterAll, const char* what,
                double seconds) {
  const auto onCard = [&](unsigned member) {
    work(first_ + member);
    if (afterAll) afterAll(first_ + member);
    CUDA_CHECK(cudaStreamSynchronize(nullptr));
  };
  const unsigned members = cards > first_ ? std::min(cards - first_, here_) : 0;
  double ms = 0;
  try {
    // Rank 0 is the first to lose its patience, as it is the one that prints.
    const Crew::Seconds limit(seconds + 5 * ranks_.rank());
    if (members > 0) ms = hostMilliseconds([&] { crew_->run(members, onCard, what, limit); });
  } catch (...) {
    ranks_.fail(errorOf(std::current_exception()));
    throw;
  }
  meet(what, seconds, ms);
}

void Cards::mark(unsigned card, unsigned place) {
  if (marking_) marks_[card - first_][place].record();
}

std::vector<double> Cards::millisecondsBetween(unsigned cards, unsigned place,
                                               unsigned later) const {
  std::vector<double> ms(cards);
  for (unsigned card = first_; card < std::min(cards, first_ + here_); ++card)
    ms[card] = marks_[card - first_][later].millisecondsSince(marks_[card - first_][place]);
  share(ms);
  return ms;
}
