// Who includes whom: the folders of common/ as its README.md lists them, and the rooms of simt/ as
// its README.md does, and nobody else.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>

#include "base/text.h"
#include "test_support/host_testing.h"

namespace {

namespace fs = std::filesystem;

using Folders = std::vector<std::string>;

struct Room {
  std::string name;
  std::set<std::string> mayInclude;
};

// The rows of the table, in their order.
std::vector<Room> roomsOf(const std::string& page) {
  std::vector<Room> rooms;
  for (const std::string& line : split(page, "\n")) {
    if (!line.starts_with("| `")) continue;
    const std::vector<std::string> cells = split(line, "|");  // "", folder, job, may include, ""
    Room room{cells.at(1).substr(1, cells.at(1).size() - 2), {}};
    for (const std::string& name : split(cells.at(3), " "))
      if (name.size() > 2) room.mayInclude.insert(name.substr(1, name.size() - 2));
    rooms.push_back(room);
  }
  return rooms;
}

bool isSource(const fs::path& path) {
  static const std::set<std::string> endings = {".h", ".cpp", ".cu", ".cuh"};
  return endings.contains(path.extension().string());
}

// Tests, and what the executor and the timing model are judged and measured by, may include what
// they run.
bool isTest(const fs::path& path) {
  const std::string stem = path.stem().string();
  const auto isIn = [&](const char* folder) {
    return path.string().find(folder) != std::string::npos;
  };
  return stem.ends_with("_test") || stem.ends_with("_testing") || stem.ends_with("_test_kernels") ||
         isIn("/tests/") || isIn("/verdicts/") || isIn("/benchmark/") || isIn("/frozen/");
}

// The folder that each #include "prefix" "folder/file" of a source names.
std::vector<std::string> foldersIncludedBy(const std::string& text, const std::string& prefix) {
  const std::regex include("^[ \t]*#[ \t]*include[ \t]*\"" + prefix + "([^\"/]+)/[^\"]*\"");
  std::vector<std::string> folders;
  for (const std::string& line : split(text, "\n"))
    if (std::smatch match; std::regex_search(line, match, include)) folders.push_back(match[1]);
  return folders;
}

// Every arrow that the room must not have, as "file includes folder".
std::vector<std::string> forbiddenIn(const fs::path& common, const Room& room,
                                     const std::string& prefix = "") {
  std::vector<std::string> forbidden;
  for (const auto& entry : fs::recursive_directory_iterator(common / room.name)) {
    if (!isSource(entry.path()) || isTest(entry.path())) continue;
    for (const std::string& folder : foldersIncludedBy(contentsOf(entry.path()), prefix))
      if (folder != room.name && folder != ".." && !room.mayInclude.contains(folder) &&
          fs::is_directory(common / folder))
        forbidden.push_back(entry.path().lexically_relative(common).string() + " includes " +
                            folder);
  }
  return forbidden;
}

const fs::path common = COMMON_DIR;

std::vector<Room> rooms() { return roomsOf(contentsOf((common / "README.md").string())); }

const fs::path simt = common / "simt";

std::vector<Room> roomsOfSimt() { return roomsOf(contentsOf((simt / "README.md").string())); }

void expectRoomsInOrder(const std::vector<Room>& rooms) {
  std::set<std::string> above;
  for (const Room& room : rooms) {
    for (const std::string& name : room.mayInclude)
      EXPECT_TRUE(name == "all" || above.contains(name)) << room.name << " may include " << name;
    above.insert(room.name);
  }
}

}  // namespace

TEST(Includes, GoOnlyToFoldersAbove) {
  for (const Room& room : rooms())
    if (room.name != "test_support") {
      EXPECT_EQ(forbiddenIn(common, room), Folders{});
    }
}

TEST(Includes, OfARoomAreOnlyOfRoomsThatStandAboveIt) {
  expectRoomsInOrder(rooms());
  expectRoomsInOrder(roomsOfSimt());
}

TEST(Includes, OfARoomOfTheExecutorGoToRoomsAbove) {
  for (const Room& room : roomsOfSimt())
    if (!room.mayInclude.contains("all")) {
      EXPECT_EQ(forbiddenIn(simt, room, "simt/"), Folders{});
    }
}

// A module is a header and its source.
TEST(Includes, OfModulesOfTheExecutorFormNoCircle) {
  static const std::regex include("#include \"(simt/[^\"]+)\\.h\"");
  std::map<std::string, std::set<std::string>> includes;
  for (const auto& entry : fs::recursive_directory_iterator(simt)) {
    if (!isSource(entry.path()) || isTest(entry.path())) continue;
    const std::string text = contentsOf(entry.path());
    const std::string module = entry.path().lexically_relative(common).replace_extension().string();
    for (std::sregex_iterator it(text.begin(), text.end(), include), end; it != end; ++it)
      if ((*it)[1] != module) includes[module].insert((*it)[1]);
  }
  // Takes away whoever includes nobody that is left.
  for (bool some = true; some;)
    some = std::erase_if(includes, [&](const auto& module) {
             return std::ranges::none_of(
                 module.second, [&](const std::string& other) { return includes.contains(other); });
           }) > 0;
  for (const auto& [module, others] : includes)
    ADD_FAILURE() << module << " includes itself by way of " << testing::PrintToString(others);
}

TEST(Includes, TheExecutorsTableHasAllItsRooms) {
  std::set<std::string> listed, there;
  for (const Room& room : roomsOfSimt()) listed.insert(room.name);
  for (const auto& entry : fs::directory_iterator(simt))
    if (entry.is_directory()) there.insert(entry.path().filename().string());
  EXPECT_EQ(listed, there);
}

TEST(Includes, TheTableHasEveryFolderOfSources) {
  std::set<std::string> listed;
  for (const Room& room : rooms()) listed.insert(room.name);
  for (const auto& entry : fs::directory_iterator(common)) {
    const std::string name = entry.path().filename().string();
    if (entry.is_directory())
      EXPECT_TRUE(listed.contains(name) || name == "results" || name == "cards" ||
                  name == "cmake" || name == "whole_tests")
          << name;
    else
      EXPECT_TRUE(entry.path().extension() == ".md" || name == "CMakeLists.txt" ||
                  name == "setup.sh")
          << name;
  }
  for (const std::string& name : listed) EXPECT_TRUE(fs::is_directory(common / name)) << name;
}

TEST(Includes, OfTheExecutorAreItsOwn) {
  ASSERT_FALSE(rooms().empty());
  EXPECT_EQ(rooms().front().name, "simt");
  EXPECT_TRUE(rooms().front().mayInclude.empty());
}

// The test itself, on a house with one wrong arrow.
TEST(Includes, AreRefusedWhereAnArrowGoesUp) {
  const TemporaryFolder folder;
  for (const std::string name : {"simt", "base"}) fs::create_directory(folder.path(name));
  writeFile(folder.path("simt/a.cpp"), "  #  include \"base/errors.h\"\n#include \"simt/b.h\"\n");
  writeFile(folder.path("simt/a_test.cpp"), "#include \"base/errors.h\"\n");
  EXPECT_EQ(forbiddenIn(folder.path(), {"simt", {}}), Folders{"simt/a.cpp includes base"});
  EXPECT_EQ(forbiddenIn(folder.path(), {"simt", {"base"}}), Folders{});
}
