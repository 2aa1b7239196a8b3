// The processes of one program that mpirun has started, one for each GPU; or this process alone.
#pragma once

#include <chrono>
#include <cstring>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "base/errors.h"
#include "multi_gpu/transport.h"

// Rank 0 is the one that prints, and whose result is the program's. The others tell it what they
// fail with, and it tells all of them: whoever waits for something in vain ends with that.
class Ranks {
 public:
  using Seconds = std::chrono::duration<double>;

  // This process alone.
  Ranks() = default;
  // All processes of the transport, called alike: throws Error (exitUsage) where they are not.
  // errors: the file descriptor for the line of one that gives up waiting.
  Ranks(std::unique_ptr<Transport> transport, const std::string& program,
        const std::string& arguments, const std::string& host, int errors = 2);

  unsigned rank() const { return transport_ ? transport_->rank() : 0; }
  unsigned count() const { return transport_ ? transport_->count() : 1; }
  bool several() const { return transport_ != nullptr; }
  // This process's number among those of its host, how many these are, and how many hosts.
  unsigned local() const { return local_; }
  unsigned onThisHost() const { return onThisHost_; }
  unsigned hosts() const { return hosts_; }
  const std::string& host() const { return host_; }  // its name

  // What each of the first so many processes has given, on each of them: they all have to call it,
  // for the same thing, which is called what. Throws the Error that one of them failed with. When
  // one has not come after so many seconds, all are ended with one line that names it.
  std::vector<std::string> exchangeTexts(const std::string& mine, unsigned ranks,
                                         const std::string& what, Seconds limit = usualLimit);
  template <typename T>
  std::vector<T> exchange(const T& mine, unsigned ranks, const std::string& what,
                          Seconds limit = usualLimit) {
    static_assert(std::is_trivially_copyable_v<T>);
    std::vector<T> all;
    const std::string text(reinterpret_cast<const char*>(&mine), sizeof mine);
    for (const std::string& one : exchangeTexts(text, ranks, what, limit))
      std::memcpy(static_cast<void*>(&all.emplace_back()), one.data(), sizeof(T));
    return all;
  }

  // Calls body and returns what it does; tells the other processes what it throws.
  int together(const std::function<int()>& body);
  // Tells the others that this process has failed. Their exchanges throw the error, and so do the
  // next ones of this process.
  void fail(const Error& error);
  // For a process that waits for something else than an exchange: ends all where one has failed.
  void watch();

  // Waits until all others have come here, too, and returns the worst exit code of all. Throws like
  // an exchange.
  int end(int exitCode);

  static constexpr Seconds usualLimit = std::chrono::seconds(60);

 private:
  void meet(const std::string& arguments);
  std::vector<unsigned> peers() const;  // who it sends to: all for rank 0, rank 0 for all others
  void tellPeers(const std::string& message) const;
  void poll();  // takes what has come; with a failure from another
  std::string next(unsigned from, const std::string& what, Seconds limit);
  void sayGoodbye();
  [[noreturn]] void giveUp(const Error& why);

  std::string program_, host_ = "this machine";
  int errors_ = 2;
  std::unique_ptr<Transport> transport_;
  std::vector<std::deque<std::string>> come_;  // from each, and not yet asked for
  std::vector<bool> gone_;
  std::optional<Error> failure_;
  unsigned local_ = 0, onThisHost_ = 1, hosts_ = 1;
};

// Runs the body of a program, with the others where mpirun has started it. They are silent then,
// and have to be meant for several GPUs: the arguments have to hold --gpus. Returns the exit code.
int runAsRanks(int argc, char** argv, const std::string& program,
               const std::function<int(Ranks&)>& body);
