#include "simt/memory/worker_process.h"

#include <signal.h>
#include <unistd.h>

namespace simt {

static bool isWorker = false;
static std::atomic<bool>* independenceLost = nullptr;

bool isInWorker() { return isWorker; }
void becomeWorker(std::atomic<bool>* notIndependent) {
  isWorker = true;
  independenceLost = notIndependent;
}
// Not by a function that ends programs: of these, those that kernels call are told.
void giveUpWorker() {
  if (isWorker) kill(getpid(), SIGKILL);
}
void giveUpIndependence() {
  if (!independenceLost) return;
  *independenceLost = true;
  giveUpWorker();
}

}  // namespace simt
