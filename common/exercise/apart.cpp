#include "exercise/apart.h"

#include <fmt/core.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

#include <array>
#include <cerrno>
#include <cstdio>
#include <iostream>
#include <optional>
#include <streambuf>
#include <string>

#include "base/errors.h"

namespace {

void writeAll(int file, const char* text, size_t size) {
  while (size > 0) {
    const ssize_t now = write(file, text, size);
    if (now < 0 && errno == EINTR) continue;
    if (now <= 0) return;
    text += now;
    size -= size_t(now);
  }
}

// Reads until all that could write have closed it.
void readAll(int file, const std::function<void(const std::string& text)>& take) {
  std::string buffer(1 << 14, '\0');
  for (;;) {
    const ssize_t now = read(file, buffer.data(), buffer.size());
    if (now < 0 && errno == EINTR) continue;
    if (now <= 0) return;
    take(buffer.substr(0, size_t(now)));
  }
}

// What is written to it goes into a file when it is flushed, or full.
class IntoFile : public std::streambuf {
 public:
  explicit IntoFile(int file) : file_(file) { setp(buffer_.begin(), buffer_.end()); }

 private:
  int overflow(int next) override {
    sync();
    if (next == traits_type::eof()) return 0;
    return sputc(char(next));
  }
  int sync() override {
    writeAll(file_, pbase(), size_t(pptr() - pbase()));
    setp(buffer_.begin(), buffer_.end());
    return 0;
  }

  const int file_;
  std::array<char, 4096> buffer_;
};

// How it came to an end: 'r' returned a code, 'e' threw an Error with a code and a text.
constexpr char returned = 'r', threw = 'e';

[[noreturn]] void runIn(int output, int verdict, const std::function<int()>& body) {
#ifdef __linux__
  prctl(PR_SET_PDEATHSIG, SIGKILL);  // no copy outlives who waits for it
#endif
  IntoFile buffer(output);
  std::cout.rdbuf(&buffer);
  std::string end;
  try {
    const int code = body();
    end = {returned, char(code)};
  } catch (const Error& error) {
    end = std::string{threw, char(error.code)} + error.what();
  } catch (const std::exception& error) {
    end = std::string{threw, char(exitWrong)} + error.what();
  }
  std::cout << std::flush;
  std::fflush(nullptr);
  writeAll(verdict, end.data(), end.size());
  _exit(0);
}

std::string howItEnded(int status) {
  return WIFSIGNALED(status) ? fmt::format("by signal {}", WTERMSIG(status))
                             : fmt::format("with exit code {}", WEXITSTATUS(status));
}

}  // namespace

int runApart(const std::function<int()>& body) {
  int output[2], verdict[2];
  if (pipe(output) != 0) return body();
  if (pipe(verdict) != 0) {
    close(output[0]), close(output[1]);
    return body();
  }
  std::cout << std::flush;
  std::fflush(nullptr);
  const pid_t child = fork();
  if (child == 0) {
    close(output[0]), close(verdict[0]);
    runIn(output[1], verdict[1], body);
  }
  close(output[1]), close(verdict[1]);
  std::string end;
  if (child > 0) {
    readAll(output[0], [](const std::string& text) { std::cout << text << std::flush; });
    readAll(verdict[0], [&](const std::string& text) { end += text; });
  }
  close(output[0]), close(verdict[0]);
  if (child < 0) return body();
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
  if (end.size() < 2)
    throw Error(exitWrong, "the kernel ends the program, " + howItEnded(status) +
                               ": a kernel can end nothing but itself");
  const int code = static_cast<unsigned char>(end[1]);
  if (end[0] == threw) throw Error(ExitCode(code), end.substr(2));
  return code;
}
