#include "multi_gpu/ranks.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <set>
#include <thread>

#include "base/escape.h"
#include "base/program_main.h"

using Clock = std::chrono::steady_clock;

namespace {

// The first character of a message: what was asked for, why the sender failed, or that it leaves.
constexpr char isData = 'd', isFailure = 'f', isGoodbye = 'g';

std::string data(const std::string& what, const std::string& text) {
  return isData + what + '\0' + text;
}

std::string packed(const std::vector<std::string>& texts) {
  std::string all;
  for (const std::string& text : texts) {
    const uint64_t size = text.size();
    all.append(reinterpret_cast<const char*>(&size), sizeof size);
    all += text;
  }
  return all;
}

std::vector<std::string> unpacked(const std::string& all) {
  std::vector<std::string> texts;
  for (size_t at = 0; at + sizeof(uint64_t) <= all.size(); at += texts.back().size()) {
    uint64_t size = 0;
    std::memcpy(&size, all.data() + at, sizeof size);
    at += sizeof size;
    texts.push_back(all.substr(at, size));
  }
  return texts;
}

// Waiting at full speed is for what takes microseconds: other processes may need the core.
void pause(Clock::duration waited) {
  if (waited < std::chrono::milliseconds(2))
    std::this_thread::yield();
  else
    std::this_thread::sleep_for(std::chrono::microseconds(100));
}

}  // namespace

Ranks::Ranks(std::unique_ptr<Transport> transport, const std::string& program,
             const std::string& arguments, const std::string& host, int errors)
    : program_(program),
      host_(host),
      errors_(errors),
      transport_(std::move(transport)),
      come_(count()),
      gone_(count()) {
  try {
    meet(arguments);
  } catch (const Error&) {
    sayGoodbye();
    throw;
  }
}

void Ranks::meet(const std::string& arguments) {
  const auto all = exchangeTexts(arguments, count(), "the arguments");
  for (unsigned other = 1; other < count(); ++other)
    if (all[other] != all[0]) {
      failure_ = Error(exitUsage, fmt::format("process {} of {} was given other arguments than "
                                              "process 0: '{}' and not '{}'",
                                              other, count(), all[other], all[0]));
      throw *failure_;  // as all do
    }
  const auto names = exchangeTexts(host_, count(), "the hosts' names");
  local_ = unsigned(std::count(names.begin(), names.begin() + rank(), host_));
  onThisHost_ = unsigned(std::count(names.begin(), names.end(), host_));
  hosts_ = unsigned(std::set<std::string>(names.begin(), names.end()).size());
}

std::vector<unsigned> Ranks::peers() const {
  if (rank() > 0) return {0};
  std::vector<unsigned> others;
  for (unsigned other = 1; other < count(); ++other) others.push_back(other);
  return others;
}

void Ranks::tellPeers(const std::string& message) const {
  for (const unsigned peer : peers()) transport_->send(peer, message);
}

void Ranks::poll() {
  std::string message;
  for (const unsigned peer : peers())
    while (transport_->receive(peer, message)) {
      if (message[0] == isData) come_[peer].push_back(message);
      if (message[0] == isGoodbye) gone_[peer] = true;
      if (message[0] != isFailure || failure_) continue;
      failure_ = Error(ExitCode(message[1]), message.substr(2));
      if (rank() == 0) tellPeers(message);
    }
}

std::string Ranks::next(unsigned from, const std::string& what, Seconds limit) {
  const auto start = Clock::now();
  while (true) {
    poll();
    if (!come_[from].empty()) break;  // sent before a failure that may have come, too
    if (failure_) throw *failure_;
    const auto waited = Clock::now() - start;
    if (waited > limit)
      giveUp(Error(exitWrong, fmt::format("{} took longer than {:g} s: process {} of {} did not "
                                          "come back",
                                          what, limit.count(), from, count())));
    pause(waited);
  }
  const std::string message = come_[from].front(), begin = data(what, "");
  come_[from].pop_front();
  if (!message.starts_with(begin))
    giveUp(Error(exitWrong, fmt::format("process {} came to {} and process {} to {}", rank(), what,
                                        from, message.c_str() + 1)));
  return message.substr(begin.size());
}

std::vector<std::string> Ranks::exchangeTexts(const std::string& mine, unsigned ranks,
                                              const std::string& what, Seconds limit) {
  if (failure_) throw *failure_;
  if (!several()) return {mine};
  if (rank() > 0) {
    transport_->send(0, data(what, mine));
    // Rank 0 is the first to say who is missing, and then the others in their order.
    return unpacked(next(0, what, limit + std::chrono::seconds(2 * rank())));
  }
  std::vector<std::string> all{mine};
  for (unsigned other = 1; other < ranks; ++other) all.push_back(next(other, what, limit));
  for (unsigned other = 1; other < ranks; ++other) transport_->send(other, data(what, packed(all)));
  return all;
}

int Ranks::together(const std::function<int()>& body) {
  if (!several()) return body();
  try {
    return body();
  } catch (...) {
    fail(errorOf(std::current_exception()));
    throw;
  }
}

void Ranks::fail(const Error& error) {
  if (!several() || failure_) return;
  failure_ = error;
  tellPeers(isFailure + std::string(1, char(error.code)) + error.what());
}

void Ranks::watch() {
  if (!several()) return;
  poll();
  if (failure_) giveUp(*failure_);
}

// Rank 0 waits two seconds for those that may hang, and ends them then.
void Ranks::sayGoodbye() {
  const std::vector<unsigned> others = peers();
  if (rank() > 0) tellPeers(std::string(1, isGoodbye));
  const auto start = Clock::now();
  while (rank() == 0 &&
         std::ranges::any_of(others, [&](unsigned other) { return !gone_[other]; })) {
    poll();
    const auto waited = Clock::now() - start;
    if (waited > std::chrono::seconds(2)) transport_->abort(failure_->code);
    pause(waited);
  }
  transport_->leave();
}

int Ranks::end(int exitCode) {
  if (!several()) return exitCode;
  std::vector<int> codes;
  try {
    if (!failure_) codes = exchange(exitCode, count(), "the end");
  } catch (const Error&) {
    sayGoodbye();
    throw;
  }
  if (failure_) {
    sayGoodbye();
    return failure_->code;
  }
  transport_->leave();
  return std::ranges::max(codes);
}

// Of several that give up for the same reason the others are ended before they can say so.
void Ranks::giveUp(const Error& why) {
  std::cout.flush();
  if (rank() == 0 || !failure_)
    dprintf(errors_, "%s\n", terminalText(program_ + ": " + why.what()).c_str());
  transport_->abort(why.code);
  std::abort();  // not reached, which g++ does not see
}
