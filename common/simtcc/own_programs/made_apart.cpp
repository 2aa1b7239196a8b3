#include "simtcc/own_programs/made_apart.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <exception>
#include <iostream>
#include <vector>

#include "simtcc/runtime/host_access.h"

namespace {

constexpr int threw = 3;

bool writeAll(int file, const std::string& text) {
  for (size_t written = 0; written < text.size();) {
    const ssize_t now = write(file, text.data() + written, text.size() - written);
    if (now <= 0) return false;
    written += size_t(now);
  }
  return true;
}

// Nobody waits for this process but who reads the file.
void leaveOthersFiles(int file) {
  const int none = open("/dev/null", O_RDWR);
  for (const int its : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (its != file && none >= 0) dup2(none, its);
}

[[noreturn]] void makeInto(int file, const std::function<std::string()>& make, unsigned seconds) {
  // Also those that the executor handles: what breaks here has no lock to wait for.
  for (const int signal : {SIGPIPE, SIGXCPU, SIGINT, SIGTERM, SIGSEGV, SIGBUS, SIGFPE, SIGILL})
    std::signal(signal, SIG_DFL);
  const rlimit limit{seconds, seconds + 1};
  setrlimit(RLIMIT_CPU, &limit);
  leaveOthersFiles(file);
  simt::openInCopy();
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
    const ssize_t now = ::read(file, buffer.data(), buffer.size());
    if (now < 0 && errno == EINTR) continue;
    if (now <= 0) return text;
    text.append(buffer.data(), size_t(now));
  }
}

}  // namespace

MakingApart::MakingApart(const std::function<std::string()>& make, unsigned seconds) {
  std::array<int, 2> ends = {};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) {
    child_ = -1;
    made_.problem = "it failed";
    return;
  }
  std::cout.flush();
  std::cerr.flush();
  child_ = fork();
  if (child_ == 0) {
    close(ends[0]);
    makeInto(ends[1], make, seconds);
  }
  close(ends[1]);
  from_ = ends[0];
  if (child_ < 0) made_.problem = "it failed";
}

MakingApart::~MakingApart() {
  if (child_ > 0) {
    kill(child_, SIGKILL);
    waitpid(child_, nullptr, 0);
  }
  if (from_ >= 0) close(from_);
}

const MadeApart& MakingApart::made() {
  if (child_ <= 0) return made_;
  made_.text = readAll(from_);
  int status = 1;
  rusage used = {};
  pid_t ended;
  do ended = wait4(child_, &status, 0, &used);
  while (ended < 0 && errno == EINTR);
  child_ = -1;
  for (const timeval& part : {used.ru_utime, used.ru_stime})
    seconds_ += double(part.tv_sec) + double(part.tv_usec) / 1e6;
  if (ended > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0) return made_;
  const bool late = ended > 0 && WIFSIGNALED(status) && WTERMSIG(status) == SIGXCPU;
  made_.problem = ended > 0 && WIFEXITED(status) && WEXITSTATUS(status) == threw ? made_.text
                  : late ? "it took too long"
                         : "it failed";
  made_.text.clear();
  return made_;
}
