#include "base/progress.h"

#include <unistd.h>

#include <chrono>
#include <csignal>

#include "base/escape.h"
#include "base/terminal.h"
#include "base/unicode.h"

using namespace std::chrono_literals;

// Writes to the terminal past C++'s streams, which the program's own thread may be using.
static void toTerminal(const std::string& text) {
  [[maybe_unused]] const ssize_t ignored = write(STDERR_FILENO, text.data(), text.size());
}

// No wider than the terminal: a line that wraps could not be taken back.
static std::string oneLine(const std::string& text) {
  return cutToColumns(terminalText(text), terminalColumns(STDERR_FILENO, 80) - 1);
}

Progress::Progress(const std::string& program, std::function<std::string()> more) {
  if (!isatty(STDERR_FILENO)) return;
  // Signals are for the program's own thread.
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  thread_ = std::thread(&Progress::run, this, program, std::move(more));
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

Progress::~Progress() {
  if (!thread_.joinable()) return;
  {
    const std::lock_guard lock(mutex_);
    end_ = true;
  }
  ended_.notify_one();
  thread_.join();
}

void Progress::show(const std::string& doing) {
  if (!thread_.joinable()) return;
  const std::lock_guard lock(mutex_);
  doing_ = doing;
}

void Progress::run(const std::string& program, const std::function<std::string()>& more) {
  std::unique_lock lock(mutex_);
  if (ended_.wait_for(lock, 1s, [&] { return end_; })) return;
  do {
    const std::string line = program + ": " + doing_ + (more ? more() : "");
    toTerminal('\r' + oneLine(line) + "\x1b[K");
  } while (!ended_.wait_for(lock, 200ms, [&] { return end_; }));
  toTerminal("\r\x1b[K");
}
