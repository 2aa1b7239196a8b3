#include "measure/in_parallel.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <iostream>
#include <memory>
#include <new>
#include <optional>
#include <thread>

#include "base/machine.h"

namespace {

using Texts = std::vector<std::optional<std::string>>;

// Which item comes next, for this process and its copies.
class Queue {
 public:
  explicit Queue(size_t count) : count_(count) {
    void* const memory = mmap(nullptr, sizeof(std::atomic<size_t>), PROT_READ | PROT_WRITE,
                              MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory != MAP_FAILED) next_ = new (memory) std::atomic<size_t>(0);
  }
  Queue(const Queue&) = delete;
  Queue& operator=(const Queue&) = delete;
  ~Queue() {
    if (next_) munmap(static_cast<void*>(next_), sizeof *next_);
  }

  bool isShared() const { return next_ != nullptr; }
  std::optional<size_t> take() {
    const size_t item = next_->fetch_add(1);
    return item < count_ ? std::optional(item) : std::nullopt;
  }

 private:
  const size_t count_;
  std::atomic<size_t>* next_ = nullptr;
};

// A copy of this process that sends what it has done, item by item.
class Copy {
 public:
  Copy(pid_t process, int pipe) : process_(process), pipe_(pipe) {}
  Copy(const Copy&) = delete;
  Copy& operator=(const Copy&) = delete;
  ~Copy() {
    close(pipe_);
    kill(process_, SIGKILL);
    waitpid(process_, nullptr, 0);
  }

  // Waits until it has sent all, or is gone.
  void receive(Texts& texts) const {
    size_t header[2];  // the item, and the bytes of its text
    while (readAll(header, sizeof header) && header[0] < texts.size()) {
      std::string text(header[1], '\0');
      if (readAll(text.data(), text.size())) texts[header[0]] = std::move(text);
    }
  }

 private:
  bool readAll(void* to, size_t bytes) const {
    auto* place = static_cast<char*>(to);
    while (bytes > 0) {
      const ssize_t count = read(pipe_, place, bytes);
      if (count < 0 && errno == EINTR) continue;
      if (count <= 0) return false;
      place += count;
      bytes -= size_t(count);
    }
    return true;
  }

  const pid_t process_;
  const int pipe_;
};

void send(int pipe, size_t item, const std::string& text) {
  const size_t header[2] = {item, text.size()};
  std::string all(reinterpret_cast<const char*>(header), sizeof header);
  all += text;
  for (size_t sent = 0; sent < all.size();) {
    const ssize_t count = write(pipe, all.data() + sent, all.size() - sent);
    if (count < 0 && errno != EINTR) _exit(1);  // nobody listens any more
    if (count > 0) sent += size_t(count);
  }
}

// As many processes as there are cores, for which there is memory.
size_t processesFor(size_t count) {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const size_t taken = size_t(usage.ru_maxrss) * 1024;
  const size_t fit = describeCpu().freeBytes / 2 / std::max<size_t>(taken, 1);
  return std::clamp<size_t>(std::min<size_t>(fit, std::thread::hardware_concurrency()), 1,
                            std::max<size_t>(count, 1));
}

void flushAll() {
  std::cout << std::flush;
  std::fflush(stdout);
}

// Only one process says on the terminal what it is doing, and this is not the one.
[[noreturn]] void workInCopy(int pipe, Queue& queue, const ItemBody& body) {
  const int nowhere = open("/dev/null", O_WRONLY);
  if (nowhere >= 0) dup2(nowhere, STDERR_FILENO);
  try {
    while (const auto item = queue.take()) send(pipe, *item, body(*item, 1));
  } catch (...) {
    // It will be thrown again where the item is done again.
  }
  flushAll();
  _exit(0);
}

}  // namespace

std::vector<std::string> inParallel(size_t count, const ItemBody& body) {
  Queue queue(count);
  const size_t processes = queue.isShared() ? processesFor(count) : 1;
  Texts texts(count);
  if (processes > 1) {
    flushAll();  // or the copies would write it, too
    std::vector<std::unique_ptr<Copy>> copies;
    for (size_t k = 1; k < processes; ++k) {
      int ends[2];
      if (pipe(ends) != 0) break;
      const pid_t process = fork();
      if (process == 0) {
        close(ends[0]);
        workInCopy(ends[1], queue, body);
      }
      close(ends[1]);
      if (process < 0) {
        close(ends[0]);
        break;
      }
      copies.push_back(std::make_unique<Copy>(process, ends[0]));
    }
    while (const auto item = queue.take()) texts[*item] = body(*item, 1);
    for (const auto& copy : copies) copy->receive(texts);
  }
  std::vector<std::string> all;
  for (size_t i = 0; i < count; ++i) all.push_back(texts[i] ? *texts[i] : body(i, 0));
  return all;
}
