// What a program is doing, for people who wait for it.
#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <string>
#include <thread>

// While one lives and standard error is a terminal: after one second, shows on a line of its own
// there what the program is doing. Otherwise does nothing. The line goes when the object does.
class Progress {
 public:
  // more, where given, adds to the line: it is called from another thread, five times a second.
  explicit Progress(const std::string& program, std::function<std::string()> more = {});
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void show(const std::string& doing);

 private:
  void run(const std::string& program, const std::function<std::string()>& more);

  std::mutex mutex_;
  std::condition_variable ended_;
  bool end_ = false;
  std::string doing_;
  std::thread thread_;
};
