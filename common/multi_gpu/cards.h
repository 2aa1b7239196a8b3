// Several GPUs at work at the same time, under the same names on both backends.
#pragma once

#include <algorithm>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

#include "base/machine.h"
#include "cuda/device_array.h"
#include "multi_gpu/ranks.h"

#ifdef GPU_BACKEND
#include <memory>

#include "cuda/mark.h"
#include "multi_gpu/crew.h"
#endif

// Copies count elements to page-locked host memory when all launches before have ended, and does
// not wait for that.
template <typename T>
void copyToHostLater(T* host, const T* device, size_t count) {
#ifdef GPU_BACKEND
  CUDA_CHECK(cudaMemcpyAsync(host, device, count * sizeof(T), cudaMemcpyDeviceToHost));
#else
  copyToHost(host, device, count);
#endif
}

// What has to be known of a GPU to put it to work with others.
struct CardFacts {
  char host[64] = "", name[64] = "", id[64] = "";  // id: which one it is on its host
  int multiprocessors = 0;
  size_t freeBytes = 0, hostFreeBytes = 0;
};

// Throws Error (exitUsage) where two of them are not alike, or the same one.
void checkCards(const std::vector<CardFacts>& cards);

// The line on a GPU that is there and refuses, with what the driver says.
std::string refusalOf(unsigned card, const std::string& reason);

// Which GPU of its host is for this process, when mpirun has started several: then startReport()
// takes it as the device.
int deviceFor(const Ranks& ranks);

// GPUs, each with a thread of its own to which it is the GPU in use. This process has all of them,
// from number 0 on; or there are several processes, and each has the one of its rank. The executor
// imagines them: those of a process share its memory and have their turns one after the other.
class Cards {
 public:
  // count 0: all there are; on the executor 4. With several processes: as many as these. machine is
  // that of this process's first GPU, and gets the memory that the fullest of all has left. Throws
  // Error: exitUsage when there are not as many, or not all alike, exitNoDevice when one cannot be
  // used. ranks has to live as long.
  Cards(unsigned count, Machine& machine, const std::string& program, Ranks& ranks);
  ~Cards();
  Cards(const Cards&) = delete;
  Cards& operator=(const Cards&) = delete;

  unsigned count() const { return count_; }
  bool isHere(unsigned card) const { return card >= first_ && card < first_ + here_; }
  // "2 GPUs", "4 GPUs, a process for each, on 2 hosts".
  std::string description() const;

  // Calls work for the first so many cards at the same time, each on its own GPU, and returns when
  // they are done and the launches have ended, too. Where there is an afterAll, no card begins it
  // before all have come through work: for what uses the others' results. Throws what the first of
  // them threw; ends the program where they do not come back in so many seconds (crew.h, ranks.h);
  // what is for the line that says so.
  using Work = std::function<void(unsigned card)>;
  void run(unsigned cards, const Work& work, const Work& afterAll = {}, const char* what = "work",
           double seconds = 60);
  // How long the last run took on a GPU, by the clock of the host that it took longest on.
  double lastMilliseconds() const { return lastMs_; }

  // Has a card note when all launches before have ended: place 0, 1 or 2. Only while marking is on,
  // as it takes time. The executor notes nothing.
  void setMarking(bool on) { marking_ = on; }
  void mark(unsigned card, unsigned place);
  // The milliseconds between two of them on each of the first so many cards, once run() is back.
  std::vector<double> millisecondsBetween(unsigned cards, unsigned place, unsigned later) const;

  // Gives all processes what those have found that have the cards: a value for each.
  template <typename T>
  void share(std::vector<T>& values) const {
    if (!ranks_.several()) return;
    const unsigned rank = ranks_.rank();
    const std::vector<T> all = ranks_.exchange(rank < values.size() ? values[rank] : T(),
                                               ranks_.count(), "exchanging results");
    std::copy_n(all.begin(), values.size(), values.begin());
  }
  // And so many values that the process with card 0 has found.
  template <typename T>
  void shareOfCard0(T* values, size_t count) const {
    if (!ranks_.several()) return;
    const std::string mine(reinterpret_cast<const char*>(values), count * sizeof(T));
    const auto all = ranks_.exchangeTexts(mine, ranks_.count(), "exchanging results");
    std::memcpy(static_cast<void*>(values), all[0].data(), count * sizeof(T));
  }

  Ranks& ranks() const { return ranks_; }

 private:
  // Takes as many as were asked for (0: so many), or those of the processes.
  void take(unsigned asked, unsigned all);
  // Agrees with the other processes on the cards, of which these are here.
  void agree(std::vector<CardFacts> here, Machine& machine);
  // All processes have come through a run, which took this one so long.
  void meet(const char* what, double seconds, double milliseconds);

  Ranks& ranks_;
  unsigned count_ = 0, first_ = 0, here_ = 0;
  double lastMs_ = 0;
  bool marking_ = false;
#ifdef GPU_BACKEND
  CardFacts open(unsigned card);
  std::vector<std::unique_ptr<Mark[]>> marks_;  // of each card that is here
  std::unique_ptr<Crew> crew_;
#endif
};
