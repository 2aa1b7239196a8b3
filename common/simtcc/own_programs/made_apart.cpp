#include "simtcc/own_programs/made_apart.h"

#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <exception>
#include <iostream>
#include <vector>

namespace {

constexpr unsigned mostSeconds = 20;
constexpr int threw = 3;

bool writeAll(int file, const std::string& text) {
  for (size_t written = 0; written < text.size();) {
    const ssize_t now = write(file, text.data() + written, text.size() - written);
    if (now <= 0) return false;
    written += size_t(now);
  }
  return true;
}

[[noreturn]] void makeInto(int file, const std::function<std::string()>& make) {
  alarm(mostSeconds);
  int code = 0;
  std::string text;
  try {
    text = make();
  } catch (const std::exception& error) {
    text = error.what();
    code = threw;
  }
  _exit(writeAll(file, text) ? code : 1);
}

std::string readAll(int file) {
  std::string text;
  std::vector<char> buffer(1 << 16);  // the stack may be small
  for (;;) {
    const ssize_t now = read(file, buffer.data(), buffer.size());
    if (now < 0 && errno == EINTR) continue;
    if (now <= 0) return text;
    text.append(buffer.data(), size_t(now));
  }
}

}  // namespace

MadeApart makeApart(const std::function<std::string()>& make) {
  std::array<int, 2> ends = {};
  if (pipe(ends.data()) != 0) return {"", "it failed"};
  std::cout.flush();
  std::cerr.flush();
  const pid_t child = fork();
  if (child == 0) makeInto(ends[1], make);
  close(ends[1]);
  MadeApart made;
  if (child > 0) made.text = readAll(ends[0]);
  close(ends[0]);
  int status = 1;
  while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
  if (child > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0) return made;
  if (child > 0 && WIFEXITED(status) && WEXITSTATUS(status) == threw) return {"", made.text};
  const bool late = child > 0 && WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM;
  return {"", late ? "it took too long" : "it failed"};
}
