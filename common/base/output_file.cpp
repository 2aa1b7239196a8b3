#include "base/output_file.h"

#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <optional>

#include "base/errors.h"

namespace {

// Puts interruptions off while a file is half written, so that none is left behind: the program
// ends by the signal when the object does.
class UninterruptedWrite {
 public:
  UninterruptedWrite() {
    sigset_t signals;
    sigemptyset(&signals);
    for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT}) sigaddset(&signals, signal);
    pthread_sigmask(SIG_BLOCK, &signals, &before_);
  }
  ~UninterruptedWrite() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  UninterruptedWrite(const UninterruptedWrite&) = delete;
  UninterruptedWrite& operator=(const UninterruptedWrite&) = delete;

 private:
  sigset_t before_;
};

}  // namespace

// The name under which a file is written before it takes its own.
static std::string partOf(const std::string& target) {
  return target + ".part" + std::to_string(getpid());
}

OutputFile::OutputFile(const std::string& option, const std::string& path,
                       bool (*isOurs)(const std::string&), const std::string& what)
    : option_(option), path_(path) {
  namespace fs = std::filesystem;
  if (path_.empty()) return;
  const auto refuse = [&](const std::string& why) {
    throw Error(exitUsage, option + " " + path_ + ": " + why);
  };
  std::error_code error;
  const fs::file_status status = fs::status(path_, error);
  if (status.type() == fs::file_type::none) refuse("cannot be written (" + error.message() + ")");
  if (fs::is_directory(status)) refuse("is a directory");
  inPlace_ = fs::exists(status) && !fs::is_regular_file(status);  // a pipe or a device
  target_ = path_;
  if (fs::is_regular_file(status)) {
    target_ = fs::canonical(path_, error).string();  // behind symbolic links
    if (error) refuse("cannot be written (" + error.message() + ")");
  }
  if (fs::is_regular_file(status) && fs::file_size(target_) > 0) {
    std::ifstream file(target_, std::ios::binary);
    const std::string old{std::istreambuf_iterator<char>(file), {}};
    if (!isOurs(old)) refuse("exists and is not " + what + "; name another");
    replaces_ = true;
  }
  if (inPlace_) return;
  // Tried and taken away again, so that a program that is interrupted leaves nothing behind.
  const UninterruptedWrite uninterrupted;
  const std::string part = partOf(target_);
  const bool writable = bool(std::ofstream(part));
  const std::string reason = std::strerror(errno);
  fs::remove(part, error);
  if (!writable) refuse("cannot be written (" + reason + ")");
}

void OutputFile::write(const std::string& text, const std::string& note) {
  if (path_.empty()) return;
  const std::string part = inPlace_ ? target_ : partOf(target_);
  const auto fail = [&](const std::string& why) {
    std::error_code ignored;
    if (!inPlace_) std::filesystem::remove(part, ignored);
    throw Error(exitUsage, option_ + " " + path_ + ": could not be written (" + why + ")");
  };
  std::optional<UninterruptedWrite> uninterrupted;  // a pipe may wait for its reader
  if (!inPlace_) uninterrupted.emplace();
  std::ofstream file(part, std::ios::binary);
  file << text;
  file.close();
  if (!file) fail(std::strerror(errno));
  if (inPlace_) return;
  std::error_code error;
  std::filesystem::rename(part, target_, error);
  if (error) fail(error.message());
  std::cout << (replaces_ ? "replaced " : "wrote ") << path_ << (note.empty() ? "" : ": ") << note
            << '\n';
}
