#include "simt/memory/worker_process.h"

#include <signal.h>
#include <unistd.h>

namespace simt {

static bool isWorker = false;

bool isInWorker() { return isWorker; }
void becomeWorker() { isWorker = true; }
// Not by a function that ends programs: of these, those that kernels call are told.
void giveUpWorker() {
  if (isWorker) kill(getpid(), SIGKILL);
}

}  // namespace simt
