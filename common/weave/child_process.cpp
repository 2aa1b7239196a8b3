#include "weave/child_process.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <system_error>

namespace {

using Clock = std::chrono::steady_clock;

[[noreturn]] void failAs(const char* what) {
  throw std::system_error(errno, std::generic_category(), what);
}

// Becomes the program, in the child. Does not return.
[[noreturn]] void become(char* const* words, const char* workingFolder, int output) {
  setpgid(0, 0);  // so that the limit ends its children as well
  const int nothing = open("/dev/null", O_RDONLY);
  const bool ready = dup2(nothing, 0) == 0 && dup2(output, 1) == 1 && dup2(output, 2) == 2 &&
                     chdir(workingFolder) == 0;
  if (ready) execv(words[0], words);
  dprintf(2, "%s\n", std::strerror(errno));
  _exit(127);
}

// Reads until nobody holds the other end any more. Whether that was before the deadline.
bool readAll(int end, Clock::time_point deadline, std::string& output) {
  char piece[4096];
  for (;;) {
    const auto left =
        std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now()).count();
    if (left <= 0) return false;
    pollfd ready{end, POLLIN, 0};
    if (poll(&ready, 1, int(std::min<long long>(left, 1000))) <= 0) continue;
    const ssize_t count = read(end, piece, sizeof piece);
    if (count == 0 || (count < 0 && errno != EINTR)) return true;
    if (count > 0) output.append(piece, size_t(count));
  }
}

}  // namespace

Ended runToItsEnd(const std::vector<std::string>& words, const std::string& workingFolder,
                  std::chrono::milliseconds limit) {
  std::vector<char*> argv;
  for (const std::string& word : words) argv.push_back(const_cast<char*>(word.c_str()));
  argv.push_back(nullptr);
  int ends[2];
  if (pipe(ends) != 0) failAs("pipe");
  for (const int end : ends) fcntl(end, F_SETFD, FD_CLOEXEC);
  const pid_t child = fork();
  if (child < 0) {
    const int reason = errno;
    for (const int end : ends) close(end);
    errno = reason;
    failAs("fork");
  }
  if (child == 0) become(argv.data(), workingFolder.c_str(), ends[1]);
  setpgid(child, child);
  close(ends[1]);
  Ended ended;
  ended.tookTooLong = !readAll(ends[0], Clock::now() + limit, ended.output);
  if (ended.tookTooLong) kill(-child, SIGKILL);
  close(ends[0]);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
  if (WIFEXITED(status)) ended.exitCode = WEXITSTATUS(status);
  if (WIFSIGNALED(status)) ended.exitCode = 128 + WTERMSIG(status);
  return ended;
}
