#include "simt/run/output_aside.h"

#if defined(__linux__)
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>

namespace simt {

static constexpr int outputs[] = {STDOUT_FILENO, STDERR_FILENO};

int memoryFile(const char* name) {
  const int file = memfd_create(name, MFD_CLOEXEC);
  if (file < 0 || file > STDERR_FILENO) return file;
  const int other = fcntl(file, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
  close(file);
  return other;
}

static void flush() {
  std::fflush(stdout);
  std::fflush(stderr);
}

OutputAside::OutputAside() : before_{}, sink_(memoryFile("output of a kernel")) {
  flush();
  isAside_ = sink_ >= 0;
  for (int i = 0; i < 2; ++i) {
    before_[i] = fcntl(outputs[i], F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    isAside_ = isAside_ && before_[i] >= 0 && dup2(sink_, outputs[i]) >= 0;
  }
}

OutputAside::~OutputAside() {
  flush();
  for (int i = 0; i < 2; ++i) {
    if (before_[i] < 0) continue;
    dup2(before_[i], outputs[i]);
    close(before_[i]);
  }
  if (sink_ >= 0) close(sink_);
}

bool OutputAside::hasSome() const {
  flush();
  struct stat status {};
  return fstat(sink_, &status) != 0 || status.st_size != 0;
}

}  // namespace simt
#endif
