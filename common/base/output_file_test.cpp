// Files that programs leave behind: whole or not at all, and never over somebody's own.
#include "base/output_file.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <iostream>

#include "test_support/host_testing.h"

namespace {

namespace fs = std::filesystem;
using Names = std::vector<std::string>;

bool isOurs(const std::string& text) { return text.starts_with("ours"); }

// Quiet, as it says what it wrote.
class Output : public OutputFile {
 public:
  explicit Output(const std::string& path) : OutputFile("--out", path, isOurs, "ours") {}
  void write(const std::string& text) {
    const Captured out(std::cout);
    OutputFile::write(text);
  }
};

struct stat statusOf(const std::string& path) {
  struct stat status {};
  EXPECT_EQ(lstat(path.c_str(), &status), 0) << path;
  return status;
}

unsigned modeOf(const std::string& path) { return statusOf(path).st_mode & 07777; }

std::string refusalOfMaking(const std::string& path) {
  return refusalOf([&] { const Output output(path); });
}

}  // namespace

TEST(OutputFile, KeepsTheModeOfTheFile) {
  const TemporaryFolder folder;
  for (const unsigned mode : {0600u, 0640u, 0664u, 0755u}) {
    writeFile(folder.path("f"), "ours");
    chmod(folder.path("f").c_str(), mode);
    Output(folder.path("f")).write("ours, new");
    EXPECT_EQ(modeOf(folder.path("f")), mode);
    EXPECT_EQ(contentsOf(folder.path("f")), "ours, new");
  }
}

TEST(OutputFile, HasTheModeOfAnyNewFile) {
  const TemporaryFolder folder;
  writeFile(folder.path("usual"), "");
  Output(folder.path("f")).write("ours");
  EXPECT_EQ(modeOf(folder.path("f")), modeOf(folder.path("usual")));
}

TEST(OutputFile, KeepsTheOwner) {
  if (geteuid() != 0) GTEST_SKIP() << "only root can give files away";
  const TemporaryFolder folder;
  writeFile(folder.path("f"), "ours");
  ASSERT_EQ(chown(folder.path("f").c_str(), 12345, 23456), 0);
  Output(folder.path("f")).write("ours, new");
  EXPECT_EQ(statusOf(folder.path("f")).st_uid, 12345u);
  EXPECT_EQ(statusOf(folder.path("f")).st_gid, 23456u);
}

TEST(OutputFile, IsRefusedWhereTheFileIsReadOnly) {
  const TemporaryFolder folder;
  writeFile(folder.path("f"), "ours");
  chmod(folder.path("f").c_str(), 0444);
  EXPECT_TRUE(
      contains(refusalOfMaking(folder.path("f")), "--out " + folder.path("f") + ": is read-only"));
  EXPECT_EQ(folder.names(), Names{"f"});
}

TEST(OutputFile, KeepsEveryNameOfTheFile) {
  const TemporaryFolder folder;
  for (const std::string text : {"ours, and longer than before", "ours"}) {
    writeFile(folder.path("f"), "ours, before");
    fs::create_hard_link(folder.path("f"), folder.path("g"));
    Output(folder.path("f")).write(text);
    EXPECT_EQ(contentsOf(folder.path("g")), text);
    EXPECT_EQ(statusOf(folder.path("f")).st_nlink, 2u);
    EXPECT_EQ(folder.names(), (Names{"f", "g"}));
    fs::remove(folder.path("g"));
  }
}

TEST(OutputFile, StaysBehindASymbolicLink) {
  const TemporaryFolder folder;
  writeFile(folder.path("kept"), "ours");
  fs::create_symlink("kept", folder.path("link"));
  Output(folder.path("link")).write("ours, new");
  EXPECT_TRUE(fs::is_symlink(folder.path("link")));
  EXPECT_EQ(contentsOf(folder.path("kept")), "ours, new");
}

// Somebody else may have left it in a shared folder.
TEST(OutputFile, IsRefusedBehindALinkToNothing) {
  const TemporaryFolder folder;
  fs::create_symlink("nothing", folder.path("link"));
  EXPECT_TRUE(contains(refusalOfMaking(folder.path("link")),
                       "is a symbolic link to a file that does not exist; name that file"));
  EXPECT_TRUE(fs::is_symlink(folder.path("link")));
  EXPECT_EQ(folder.names(), Names{"link"});
}

TEST(OutputFile, LeavesAFileThatAppearedDuringTheRun) {
  const TemporaryFolder folder;
  for (const std::string theirs : {"theirs", "ours, too", ""}) {
    Output output(folder.path("f"));
    writeFile(folder.path("f"), theirs);
    EXPECT_TRUE(contains(refusalOf([&] { output.write("ours"); }),
                         "appeared during the run and stays as it is; what was to be written is"));
    EXPECT_EQ(contentsOf(folder.path("f")), theirs);
    const Names names = folder.names();
    ASSERT_EQ(names.size(), 2u);
    EXPECT_TRUE(names[1].starts_with("f.part-"));
    EXPECT_EQ(contentsOf(folder.path(names[1])), "ours");
    for (const std::string& name : names) fs::remove(folder.path(name));
  }
}

TEST(OutputFile, LeavesAFileThatChangedDuringTheRun) {
  const TemporaryFolder folder;
  writeFile(folder.path("f"), "ours");
  Output output(folder.path("f"));
  writeFile(folder.path("f"), "theirs");
  EXPECT_TRUE(contains(refusalOf([&] { output.write("ours, new"); }), "changed during the run"));
  EXPECT_EQ(contentsOf(folder.path("f")), "theirs");
}

TEST(OutputFile, LeavesALinkThatAppearedDuringTheRun) {
  const TemporaryFolder folder;
  writeFile(folder.path("theirs"), "ours");
  writeFile(folder.path("f"), "ours");
  Output replaced(folder.path("f")), made(folder.path("g"));
  fs::remove(folder.path("f"));
  for (const char* name : {"f", "g"}) fs::create_symlink("theirs", folder.path(name));
  for (Output* output : {&replaced, &made})
    EXPECT_NE(refusalOf([&] { output->write("ours, new"); }), "");
  for (const char* name : {"f", "g"}) EXPECT_TRUE(fs::is_symlink(folder.path(name)));
  EXPECT_EQ(contentsOf(folder.path("theirs")), "ours");
}

TEST(OutputFile, MayBeTakenAwayDuringTheRun) {
  const TemporaryFolder folder;
  writeFile(folder.path("f"), "ours");
  Output output(folder.path("f"));
  fs::remove(folder.path("f"));
  output.write("ours, new");
  EXPECT_EQ(contentsOf(folder.path("f")), "ours, new");
  EXPECT_EQ(folder.names(), Names{"f"});
}

TEST(OutputFile, ReplacesOnlyWhatIsOurs) {
  const TemporaryFolder folder;
  for (const std::string theirs : {"theirs", " ours", "\n"}) {
    writeFile(folder.path("f"), theirs);
    EXPECT_TRUE(
        contains(refusalOfMaking(folder.path("f")), "exists and is not ours; name another"));
    EXPECT_EQ(contentsOf(folder.path("f")), theirs);
  }
}

TEST(OutputFile, IsNotOneOfTwoUnderAnyName) {
  const TemporaryFolder folder;
  writeFile(folder.path("a"), "ours");
  fs::create_hard_link(folder.path("a"), folder.path("b"));
  fs::create_symlink("a", folder.path("c"));
  fs::create_directory(folder.path("d"));
  const auto areOne = [&](const std::string& one, const std::string& other) {
    const Output a(folder.path(one)), b(folder.path(other));
    return contains(refusalOf([&] { a.mustNotBe(b); }), "name two different files");
  };
  EXPECT_TRUE(areOne("a", "b"));
  EXPECT_TRUE(areOne("a", "c"));
  EXPECT_TRUE(areOne("a", "d/../a"));
  EXPECT_TRUE(areOne("new", "./new"));
  EXPECT_TRUE(areOne("new", "d/../new"));
  EXPECT_FALSE(areOne("a", "new"));
  EXPECT_FALSE(areOne("new", "d/new"));
}

// As with ulimit -f, or a disk that is full.
TEST(OutputFile, LeavesNothingOfAFileThatMayNotGrow) {
  const TemporaryFolder folder;
  writeFile(folder.path("f"), "ours");
  writeFile(folder.path("linked"), "ours");
  fs::create_hard_link(folder.path("linked"), folder.path("other"));
  rlimit before{};
  getrlimit(RLIMIT_FSIZE, &before);
  rlimit small = before;
  small.rlim_cur = 4096;
  setrlimit(RLIMIT_FSIZE, &small);
  std::string lines;
  for (const char* name : {"f", "linked", "new"})
    lines += refusalOf([&] { Output(folder.path(name)).write("ours" + std::string(10000, 'x')); });
  setrlimit(RLIMIT_FSIZE, &before);
  EXPECT_TRUE(contains(lines, "could not be written (File too large)"));
  EXPECT_EQ(contentsOf(folder.path("f")), "ours");
  EXPECT_EQ(contentsOf(folder.path("other")), "ours");
  EXPECT_EQ(folder.names(), (Names{"f", "linked", "other"}));
}

// A stranger cannot lay a link in wait.
TEST(OutputFile, HasAnotherTemporaryNameEachTime) {
  const TemporaryFolder folder;
  std::vector<std::string> parts;
  for (const char* name : {"a", "b"}) {
    Output output(folder.path(name));
    fs::create_directory(folder.path(name));
    EXPECT_NE(refusalOf([&] { output.write("ours"); }), "");
    for (const std::string& found : folder.names())
      if (found.starts_with(name + std::string(".part-"))) parts.push_back(found.substr(1));
  }
  ASSERT_EQ(parts.size(), 2u);
  EXPECT_NE(parts[0], parts[1]);
  EXPECT_EQ(parts[0].size(), std::string(".part-").size() + 16);
}

TEST(OutputFile, SaysItsNameWithoutControlCharacters) {
  const TemporaryFolder folder;
  const Captured out(std::cout);
  OutputFile("--out", folder.path("a\x1b[2J"), isOurs, "ours").write("ours");
  EXPECT_EQ(out.text(), "wrote " + folder.path("a [2J") + "\n");
}
