// Whether this process is a worker, forked to run some blocks of a launch (run/parallel_blocks.h).
#pragma once

#include <atomic>

namespace simt {

// Why blocks do not run plain, as reports say it of a kernel.
inline constexpr char hasFault[] = "has a fault", prints[] = "prints",
                      goesOnForLong[] = "has a block that waits, or takes long";

bool isInWorker();
// Where its blocks must know nothing of each other's order: it notes that they did. And why the
// first of them gave up.
void becomeWorker(std::atomic<bool>* notIndependent = nullptr,
                  std::atomic<const char*>* why = nullptr);
// While one lives, blocks run plain in this process, which is no worker: where one would give up,
// the function is called, and does not return.
class AsInWorker {
 public:
  AsInWorker(void (*leave)(), std::atomic<bool>* notIndependent, std::atomic<const char*>* why);
  ~AsInWorker();
  AsInWorker(const AsInWorker&) = delete;
  AsInWorker& operator=(const AsInWorker&) = delete;
};
// In such a process: what others would have to know has happened. It ends, and the blocks run one
// after the other; or the plain block is left. Elsewhere it does nothing.
// Why: as a report says it, a text that lasts.
void giveUpWorker(const char* why = hasFault);
// The same of what blocks that must be independent do; nothing, where they need not be.
void giveUpIndependence();

}  // namespace simt
