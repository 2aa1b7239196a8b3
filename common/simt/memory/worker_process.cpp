#include "simt/memory/worker_process.h"

#include <signal.h>
#include <unistd.h>

namespace simt {

static bool isWorker = false;
static std::atomic<bool>* independenceLost = nullptr;
static void (*leavesBlock)() = nullptr;
static std::atomic<const char*>* whyGivenUp = nullptr;

bool isInWorker() { return isWorker; }
AsInWorker::AsInWorker(void (*leave)(), std::atomic<bool>* notIndependent,
                       std::atomic<const char*>* why) {
  whyGivenUp = why;
  leavesBlock = leave;
  independenceLost = notIndependent;
}
AsInWorker::~AsInWorker() {
  leavesBlock = nullptr;
  independenceLost = nullptr;
  whyGivenUp = nullptr;
}
void becomeWorker(std::atomic<bool>* notIndependent, std::atomic<const char*>* why) {
  whyGivenUp = why;
  isWorker = true;
  independenceLost = notIndependent;
}
// Not by a function that ends programs: of these, those that kernels call are told.
void giveUpWorker(const char* reason) {
  const char* none = nullptr;
  if (whyGivenUp) whyGivenUp->compare_exchange_strong(none, reason);  // the first says it
  if (isWorker) kill(getpid(), SIGKILL);
  if (leavesBlock) leavesBlock();
}
void giveUpIndependence() {
  if (!independenceLost) return;
  *independenceLost = true;
  giveUpWorker();
}

}  // namespace simt
