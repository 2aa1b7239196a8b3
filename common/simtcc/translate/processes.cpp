#include "simtcc/translate/processes.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <ctime>

extern char** environ;

namespace simt::cc {
namespace {

// What a signal has asked for, and the groups of processes that are to end with simtcc: of what it
// waits for, and of what runs beside.
volatile sig_atomic_t interruptedBy = 0;
volatile pid_t compilers[3] = {0, 0, 0};
constexpr int endings[] = {SIGINT, SIGTERM, SIGHUP};

extern "C" void onEnding(int signal) {
  interruptedBy = signal;
  for (const pid_t compiler : compilers)
    if (compiler > 0) kill(-compiler, SIGTERM);
}

// While one lives, those signals wait.
struct WithoutEndings {
  sigset_t before;
  WithoutEndings() {
    sigset_t set;
    sigemptyset(&set);
    for (const int signal : endings) sigaddset(&set, signal);
    sigprocmask(SIG_BLOCK, &set, &before);
  }
  ~WithoutEndings() { sigprocmask(SIG_SETMASK, &before, nullptr); }
};

void endIfInterrupted() {
  if (interruptedBy != 0) throw Interrupted{interruptedBy};
}

}  // namespace

void catchInterrupts() {
  for (const int signal : endings) {
    struct sigaction action {};
    sigaction(signal, nullptr, &action);
    if (action.sa_handler == SIG_IGN) continue;  // as nohup has it
    action.sa_handler = onEnding;
    action.sa_flags = SA_RESTART;
    sigaction(signal, &action, nullptr);
  }
}

// Starts a program whose standard error goes there, where that is one. 0: it cannot be started.
static pid_t start(const std::vector<std::string>& words, int errors, volatile pid_t& compiler) {
  std::vector<char*> arguments;
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  if (errors >= 0) posix_spawn_file_actions_adddup2(&actions, errors, STDERR_FILENO);
  // A group of its own: all of it is told to end, whoever asks simtcc to.
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setpgroup(&attributes, 0);
  pid_t child = 0;
  int problem = 0;
  {
    const WithoutEndings scope;
    posix_spawnattr_setsigmask(&attributes, &scope.before);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK);
    if (interruptedBy == 0)
      problem =
          posix_spawnp(&child, arguments[0], &actions, &attributes, arguments.data(), environ);
    if (problem != 0) child = 0;
    compiler = child;
  }
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  return child;
}

// As shells say it.
static int exitCodeOf(int status) {
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static int waitFor(pid_t child, volatile pid_t& compiler) {
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
  compiler = 0;
  return exitCodeOf(status);
}

int runProgram(const std::vector<std::string>& words, std::string* errors) {
  int ends[2] = {-1, -1};
  if (errors && pipe2(ends, O_CLOEXEC) != 0) ends[0] = ends[1] = -1;
  const pid_t child = start(words, ends[1], compilers[0]);
  if (ends[1] >= 0) close(ends[1]);
  if (child == 0) {
    if (ends[0] >= 0) close(ends[0]);
    endIfInterrupted();
    std::fprintf(stderr, "simtcc: %s cannot be started\n", words[0].c_str());
    return 127;
  }
  char buffer[4096];
  for (ssize_t n; errors && (n = read(ends[0], buffer, sizeof buffer)) > 0;)
    errors->append(buffer, size_t(n));
  if (ends[0] >= 0) close(ends[0]);
  const int code = waitFor(child, compilers[0]);
  endIfInterrupted();
  return code;
}

ProgramBeside::ProgramBeside(const std::vector<std::string>& words, const std::string& errors)
    : known_(compilers[compilers[1] == 0 ? 1 : 2]) {
  const int file = open(errors.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  child_ = start(words, file, known_);
  if (file >= 0) close(file);
}

void ProgramBeside::end() {
  if (child_ == 0) return;
  kill(-child_, SIGTERM);
  waitFor(child_, known_);
  child_ = 0;
}

int ProgramBeside::wait(unsigned seconds) {
  if (child_ == 0) return 127;
  constexpr timespec pause{0, 2'000'000};
  int status = 0;
  for (unsigned i = 0; i < 500 * seconds; ++i) {
    if (waitpid(child_, &status, WNOHANG) == child_) {
      known_ = 0;
      child_ = 0;
      endIfInterrupted();
      return exitCodeOf(status);
    }
    nanosleep(&pause, nullptr);
  }
  end();
  endIfInterrupted();
  return 124;
}

}  // namespace simt::cc
