// Starts a built program as its users do, for tests.
#pragma once

#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

using Words = std::vector<std::string>;

// How a program is started, where it is not as usual.
struct Setting {
  std::string workingFolder = {};
  std::vector<std::pair<std::string, std::string>> environment = {};
  std::string standardOutput = {};  // a file instead of what Outcome::out holds
  bool closeStandardOutput = false;
  std::optional<std::chrono::milliseconds> interruptAfter = {};  // with SIGINT
  std::string interruptOn = {};  // as soon as the terminal shows this text
  bool terminal = false;         // standard error is one
  unsigned short columns = 0;    // standard output is a terminal that is so wide
};

// How it ended, and what it wrote.
struct Outcome {
  int exitCode = -1;  // unless a signal ended it
  int signal = 0;
  bool tookTooLong = false;
  std::string out, err;
};

// Files without a name: unlike pipes they never fill up, so one after the other can be read when
// the program has ended.
inline std::FILE* namelessFile() {
  std::FILE* const file = std::tmpfile();
  if (!file) throw std::runtime_error(std::string("tmpfile: ") + std::strerror(errno));
  fcntl(fileno(file), F_SETFD, FD_CLOEXEC);
  return file;
}

inline std::string contentsAndClose(std::FILE* file) {
  std::string contents;
  std::rewind(file);
  for (int c = std::getc(file); c != EOF; c = std::getc(file)) contents += char(c);
  std::fclose(file);
  return contents;
}

// Becomes the program, in the child: no shell reads the arguments. Does not return.
[[noreturn]] inline void become(char* const* argv, const Setting& setting, int out, int err) {
  // Ignored signals stay ignored in a child: a test that runs in the background would be one.
  for (const int signal : {SIGINT, SIGPIPE}) ::signal(signal, SIG_DFL);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  for (const auto& [name, value] : setting.environment) setenv(name.c_str(), value.c_str(), 1);
  const int in = open("/dev/null", O_RDONLY | O_CLOEXEC);
  if (!setting.standardOutput.empty())
    out = open(setting.standardOutput.c_str(), O_WRONLY | O_CLOEXEC);
  bool ready = dup2(in, 0) == 0 && dup2(out, 1) == 1 && dup2(err, 2) == 2;
  if (setting.closeStandardOutput) close(1);
  if (!setting.workingFolder.empty()) ready = ready && chdir(setting.workingFolder.c_str()) == 0;
  if (ready) execv(argv[0], argv);
  dprintf(2, "%s: %s\n", argv[0], std::strerror(errno));
  _exit(127);
}

inline Outcome run(const std::string& path, Words arguments, const Setting& setting = {}) {
  arguments.insert(arguments.begin(), path);
  std::vector<char*> argv;
  for (std::string& argument : arguments) argv.push_back(argument.data());
  argv.push_back(nullptr);

  std::FILE* const out = namelessFile();
  std::FILE* const err = namelessFile();
  int terminal = -1, itsEnd = -1;
  winsize size{};
  size.ws_col = setting.columns;
  size.ws_row = 50;
  if ((setting.terminal || setting.columns > 0) &&
      openpty(&terminal, &itsEnd, nullptr, nullptr, &size) != 0)
    throw std::runtime_error(std::string("openpty: ") + std::strerror(errno));
  std::string shown;  // what the terminal was sent
  const auto watch = [&] {
    char text[1024];
    while (terminal >= 0) {
      pollfd ready{terminal, POLLIN, 0};
      if (poll(&ready, 1, 0) <= 0 || !(ready.revents & POLLIN)) return;
      const ssize_t count = read(terminal, text, sizeof text);
      if (count <= 0) return;
      shown.append(text, size_t(count));
    }
  };
  const pid_t child = fork();
  if (child < 0) throw std::runtime_error(std::string("fork: ") + std::strerror(errno));
  if (child == 0)
    become(argv.data(), setting, setting.columns > 0 ? itsEnd : fileno(out),
           setting.terminal ? itsEnd : fileno(err));

  Outcome outcome;
  int status = 0;
  bool interrupted = false;
  const auto start = std::chrono::steady_clock::now();
  while (waitpid(child, &status, WNOHANG) == 0) {
    const auto passed = std::chrono::steady_clock::now() - start;
    const bool due =
        (setting.interruptAfter && passed > *setting.interruptAfter) ||
        (!setting.interruptOn.empty() && shown.find(setting.interruptOn) != std::string::npos);
    if (due && !interrupted) {
      kill(child, SIGINT);
      interrupted = true;
    }
    if (passed > std::chrono::minutes(5) && !outcome.tookTooLong) {
      kill(child, SIGKILL);
      outcome.tookTooLong = true;
    }
    watch();
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  watch();
  if (WIFEXITED(status)) outcome.exitCode = WEXITSTATUS(status);
  if (WIFSIGNALED(status)) outcome.signal = WTERMSIG(status);
  outcome.out = contentsAndClose(out);
  outcome.err = contentsAndClose(err);
  if (setting.columns > 0) std::erase(shown, '\r');  // which a terminal puts before each newline
  (setting.columns > 0 ? outcome.out : outcome.err) += shown;
  for (const int end : {terminal, itsEnd})
    if (end >= 0) close(end);
  EXPECT_FALSE(outcome.tookTooLong) << path << " had not ended after five minutes";
  return outcome;
}
