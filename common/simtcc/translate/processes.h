// Programs that simtcc calls, without a shell.
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

namespace simt::cc {

// Thrown where a signal asks simtcc to end: what it has made for itself is removed on the way out.
struct Interrupted {
  int signal;
};
// From now on SIGINT, SIGTERM and SIGHUP end the compiler that runs, and runProgram() throws.
void catchInterrupts();

// Runs a program with these arguments and returns its exit code, 127 when it cannot be started.
// With errors, what it writes to stderr goes there instead.
int runProgram(const std::vector<std::string>& words, std::string* errors = nullptr);

// A program that runs beside others, whose errors go into a file. Two at a time.
class ProgramBeside {
 public:
  ProgramBeside(const std::vector<std::string>& words, const std::string& errors);
  ~ProgramBeside() { end(); }
  ProgramBeside(const ProgramBeside&) = delete;
  ProgramBeside& operator=(const ProgramBeside&) = delete;
  // Its exit code: 127 where it could not be started, 124 where it has taken so long and was ended.
  int wait(unsigned seconds);

 private:
  void end();
  pid_t child_;
  volatile pid_t& known_;  // to who ends all of them
};

}  // namespace simt::cc
