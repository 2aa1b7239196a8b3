#include "multi_gpu/crew.h"

#include <fmt/core.h>

#include <cstdlib>
#include <iostream>

#include "base/escape.h"
#include "base/program_main.h"

using Clock = std::chrono::steady_clock;

Crew::Crew(unsigned members, std::string program, std::function<void()> watch)
    : program_(std::move(program)), watch_(std::move(watch)) {
  for (unsigned number = 0; number < members; ++number)
    members_.push_back(std::make_unique<Member>());
  for (unsigned number = 0; number < members; ++number)
    members_[number]->thread = std::thread([this, number] { serve(number); });
}

Crew::~Crew() {
  over_ = true;
  for (const auto& member : members_) member->thread.join();
}

void Crew::serve(unsigned number) {
  Member& me = *members_[number];
  for (unsigned seen = 0;; me.done = seen) {
    while (round_ == seen) {
      if (over_) return;
      std::this_thread::yield();
    }
    ++seen;
    me.thrown = nullptr;
    if (number >= called_) continue;
    try {
      (*work_)(number);
    } catch (...) {
      me.thrown = std::current_exception();
    }
  }
}

void Crew::run(unsigned members, const std::function<void(unsigned)>& work, const std::string& what,
               Seconds limit) {
  work_ = &work;
  called_ = members;
  ++round_;
  waitForAll(members, what, limit);
  for (const auto& member : members_)
    if (member->thrown) std::rethrow_exception(member->thrown);
}

void Crew::waitForAll(unsigned members, const std::string& what, Seconds limit) {
  const auto start = Clock::now();
  const Seconds patience = std::min<Seconds>(limit, std::chrono::seconds(2));
  for (unsigned number = 0; number < members_.size(); ++number)
    while (members_[number]->done != round_) {
      std::this_thread::yield();
      const Seconds passed = Clock::now() - start;
      if (passed > patience) giveUpIfOneFailed();
      if (passed > limit)
        giveUp(Error(exitWrong, fmt::format("{} took longer than {:g} s: GPU {} of {} did not come "
                                            "back",
                                            what, limit.count(), number, members)));
    }
}

void Crew::giveUpIfOneFailed() const {
  for (const auto& member : members_)
    if (member->done == round_ && member->thrown) giveUp(errorOf(member->thrown));
  if (watch_) watch_();
}

void Crew::giveUp(const Error& why) const {
  std::cout.flush();
  std::cerr << terminalText(program_ + ": " + why.what()) << std::endl;
  std::_Exit(why.code);
}
