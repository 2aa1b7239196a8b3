// Threads that work at the same time, one for each GPU.
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "base/errors.h"

// Keeps its threads ready between calls: they wait in a loop, as waking a sleeping one would take
// longer than what is measured here.
class Crew {
 public:
  using Seconds = std::chrono::duration<double>;

  // program: its name, for the line on stderr. watch is called again and again while a round takes
  // longer than two seconds.
  Crew(unsigned members, std::string program, std::function<void()> watch = {});
  ~Crew();
  Crew(const Crew&) = delete;
  Crew& operator=(const Crew&) = delete;

  // Calls work(0) … work(members - 1) at the same time, for the first so many members, and returns
  // when all have come back. Throws what the first of them threw.
  //
  // One that does not come back keeps the others waiting, and whoever wanted to free its memory,
  // too. So when the limit has passed, or two seconds after another has thrown, the program ends at
  // once: with one line on stderr, what that one threw or that `what` took too long, and its exit
  // code (1 for the limit).
  void run(unsigned members, const std::function<void(unsigned member)>& work,
           const std::string& what, Seconds limit = std::chrono::seconds(60));

 private:
  struct Member {
    std::atomic<unsigned> done{0};  // the rounds that it has come back from
    std::exception_ptr thrown;      // in its last round; valid when done says so
    std::thread thread;
  };
  void serve(unsigned number);
  void waitForAll(unsigned members, const std::string& what, Seconds limit);
  void giveUpIfOneFailed() const;
  [[noreturn]] void giveUp(const Error& why) const;

  const std::string program_;
  const std::function<void()> watch_;
  const std::function<void(unsigned)>* work_ = nullptr;
  unsigned called_ = 0;  // the members of this round
  std::atomic<unsigned> round_{0};
  std::atomic<bool> over_{false};
  std::vector<std::unique_ptr<Member>> members_;
};
