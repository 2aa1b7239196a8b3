#include "base/output_file.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <iostream>
#include <random>
#include <utility>

#include "base/errors.h"
#include "base/escape.h"

namespace {

namespace fs = std::filesystem;

// Puts interruptions off while a file is half written, so that none is left behind: the program
// ends by the signal when the object does. A file that may not grow is an error, not a signal.
class UninterruptedWrite {
 public:
  UninterruptedWrite() : tooLarge_(signal(SIGXFSZ, SIG_IGN)) {
    sigset_t signals;
    sigemptyset(&signals);
    for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT}) sigaddset(&signals, signal);
    pthread_sigmask(SIG_BLOCK, &signals, &before_);
  }
  ~UninterruptedWrite() {
    pthread_sigmask(SIG_SETMASK, &before_, nullptr);
    signal(SIGXFSZ, tooLarge_);
  }
  UninterruptedWrite(const UninterruptedWrite&) = delete;
  UninterruptedWrite& operator=(const UninterruptedWrite&) = delete;

 private:
  void (*tooLarge_)(int);
  sigset_t before_;
};

// An open file. Operations return false and leave errno on failure.
class OpenFile {
 public:
  OpenFile(const std::string& path, int flags, mode_t mode = 0)
      : descriptor_(open(path.c_str(), flags | O_CLOEXEC, mode)) {}
  ~OpenFile() { close(); }
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;

  explicit operator bool() const { return descriptor_ >= 0; }
  int descriptor() const { return descriptor_; }
  bool write(const std::string& text) {
    for (size_t done = 0; done < text.size();) {
      const ssize_t count = ::write(descriptor_, text.data() + done, text.size() - done);
      if (count < 0 && errno == EINTR) continue;
      if (count < 0) return false;
      done += size_t(count);
    }
    return true;
  }
  bool cutAt(size_t size) { return ftruncate(descriptor_, off_t(size)) == 0; }
  bool toBeginning() { return lseek(descriptor_, 0, SEEK_SET) == 0; }
  bool flush() { return fsync(descriptor_) == 0 || errno == EINVAL || errno == ENOTSUP; }
  bool giveOwnerAndMode(const struct stat& like) {
    return fchown(descriptor_, like.st_uid, like.st_gid) == 0 &&
           fchmod(descriptor_, like.st_mode & 07777) == 0;
  }
  bool close() {
    const int open = std::exchange(descriptor_, -1);
    return open < 0 || ::close(open) == 0;
  }

 private:
  int descriptor_;
};

constexpr size_t largest = 64 << 20;  // bytes of a file that may be replaced

// The file's bytes; nothing where it cannot be read or has more than a file of ours can have.
std::optional<std::string> contentsOf(const std::string& path) {
  OpenFile file(path, O_RDONLY | O_NOFOLLOW);
  if (!file) return {};
  std::string text;
  std::string piece(1 << 16, ' ');
  ssize_t count = 0;
  while ((count = read(file.descriptor(), piece.data(), piece.size())) > 0) {
    text.append(piece, 0, size_t(count));
    if (text.size() > largest) return {};
  }
  return count < 0 ? std::nullopt : std::optional(text);
}

// A name in the folder of the target that nobody can foresee.
std::string partOf(const std::string& target) {
  std::random_device random;
  return fmt::format("{}.part-{:08x}{:08x}", target, random(), random());
}

// A new file beside the target, gone at the end of the scope unless it is kept or renamed.
struct PartFile {
  std::string path;
  OpenFile file;

  PartFile(const std::string& target, mode_t mode)
      : path(partOf(target)), file(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode) {}
  ~PartFile() {
    if (temporary_) unlink(path.c_str());
  }
  PartFile(const PartFile&) = delete;
  PartFile& operator=(const PartFile&) = delete;
  const std::string& keep() {
    temporary_ = false;
    return path;
  }

 private:
  bool temporary_ = bool(file);
};

bool isReadOnly(const struct stat& status, const std::string& path) {
  const bool noneMayWrite = (status.st_mode & (S_IWUSR | S_IWGRP | S_IWOTH)) == 0;
  return noneMayWrite || access(path.c_str(), W_OK) != 0;
}

}  // namespace

OutputFile::OutputFile(const std::string& option, const std::string& path,
                       bool (*isOurs)(const std::string&), const std::string& what)
    : option_(option), path_(path), target_(path) {
  if (path_.empty()) return;
  const auto refuse = [&](const std::string& why) {
    throw Error(exitUsage, fmt::format("{} {}: {}", option_, path_, why));
  };
  const auto refuseFor = [&](int error) {
    refuse(fmt::format("cannot be written ({})", std::strerror(error)));
  };
  struct stat status {};
  const bool exists = stat(path_.c_str(), &status) == 0;
  if (!exists && errno != ENOENT) refuseFor(errno);
  if (struct stat link{}; !exists && lstat(path_.c_str(), &link) == 0)
    refuse("is a symbolic link to a file that does not exist; name that file");
  if (exists && S_ISDIR(status.st_mode)) refuse("is a directory");
  isStream_ = exists && !S_ISREG(status.st_mode);
  if (isStream_) return;
  if (exists) {
    std::error_code error;
    target_ = fs::canonical(path_, error).string();
    if (error) refuseFor(error.value());
    before_ = contentsOf(target_);
    if (!before_ || (!before_->empty() && !isOurs(*before_)))
      refuse(fmt::format("exists and is not {}; name another", what));
    if (isReadOnly(status, target_)) refuse("is read-only");
  }
  // Tried and taken away again, so that a program that is interrupted leaves nothing behind.
  const UninterruptedWrite uninterrupted;
  if (const PartFile part(target_, 0600); !part.file) refuseFor(errno);
}

void OutputFile::mustNotBe(const OutputFile& other) const {
  if (path_.empty() || other.path_.empty() || isStream_ || other.isStream_) return;
  const auto place = [](const std::string& path) {
    return fs::weakly_canonical(fs::absolute(path));
  };
  const bool same = before_ && other.before_ ? fs::equivalent(target_, other.target_)
                                             : place(target_) == place(other.target_);
  if (same)
    throw Error(exitUsage, fmt::format("{} {} and {} {}: name two different files", option_, path_,
                                       other.option_, other.path_));
}

void OutputFile::fail(int error) const {
  throw Error(exitUsage, fmt::format("{} {}: could not be written ({})", option_, path_,
                                     std::strerror(error)));
}

// The work of a long run is not thrown away because its place is taken.
void OutputFile::stepAside(const std::string& part, const std::string& why) const {
  throw Error(exitUsage, fmt::format("{} {}: {} during the run and stays as it is; what was to be "
                                     "written is in {}",
                                     option_, path_, why, part));
}

void OutputFile::write(const std::string& text, const std::string& note) {
  if (path_.empty()) return;
  if (isStream_) {  // it may wait for its reader, and may be interrupted then
    OpenFile stream(target_, O_WRONLY | O_TRUNC);
    if (!stream || !stream.write(text) || !stream.close()) fail(errno);
    return;
  }
  const bool replaces = before_ && !before_->empty();
  writeFile(text);
  before_ = text;
  const std::string more = note.empty() ? "" : ": " + note;
  std::cout << terminalText((replaces ? "replaced " : "wrote ") + path_ + more) << '\n';
}

void OutputFile::writeFile(const std::string& text) {
  const UninterruptedWrite uninterrupted;
  PartFile part(target_, before_ ? 0600 : 0666);
  if (!part.file || !part.file.write(text) || !part.file.flush()) fail(errno);

  struct stat status {};
  const bool exists = lstat(target_.c_str(), &status) == 0;
  if (exists && !before_) stepAside(part.keep(), "appeared");
  if (exists && contentsOf(target_) != before_) stepAside(part.keep(), "changed");
  if (exists && isReadOnly(status, target_)) stepAside(part.keep(), "became read-only");
  if (exists && (status.st_nlink > 1 || !part.file.giveOwnerAndMode(status)))
    return writeInPlace(text);  // there is room: the part has it
  if (!part.file.close()) fail(errno);
  if (exists) {
    if (rename(part.path.c_str(), target_.c_str()) != 0) fail(errno);
    part.keep();
  } else if (link(part.path.c_str(), target_.c_str()) != 0) {  // unlike rename, never over a file
    if (errno == EEXIST) stepAside(part.keep(), "appeared");
    // A file system without links.
    if (rename(part.path.c_str(), target_.c_str()) != 0) fail(errno);
    part.keep();
  }
}

// Room for so many bytes in an open file, so that writing them cannot fail for want of it. Returns
// what errno would be.
static int makeRoom([[maybe_unused]] int descriptor, [[maybe_unused]] size_t bytes) {
#ifdef __APPLE__
  return 0;  // which has no such call
#else
  const int error = bytes == 0 ? 0 : posix_fallocate(descriptor, 0, off_t(bytes));
  return error == EINVAL || error == EOPNOTSUPP ? 0 : error;
#endif
}

// Room first, then the bytes; what was there comes back when they cannot be written.
void OutputFile::writeInPlace(const std::string& text) {
  OpenFile file(target_, O_RDWR | O_NOFOLLOW);
  if (!file) fail(errno);
  int error = makeRoom(file.descriptor(), text.size());
  if (error == 0) {
    if (file.write(text) && file.cutAt(text.size()) && file.flush()) return;
    error = errno;
    file.toBeginning();
    file.write(*before_);
  }
  file.cutAt(before_->size());
  fail(error);
}
