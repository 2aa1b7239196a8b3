// The source that a page shows: the functions in which the steps are.
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "explore/page_steps.h"

class Sources {
 public:
  // Reads the files that the instructions come from; lines of those that cannot be read are empty.
  explicit Sources(const std::vector<const void*>& instructions);

  // The line of the page, counted over all its pieces, or -1.
  int lineOf(const void* instruction) const;
  int lineAt(const std::string& place) const;          // of "file.cuh:12", or -1
  std::string placeOf(const void* instruction) const;  // "line 12", or ""

  std::vector<std::string> lines() const;  // of all functions
  nlohmann::json asJson() const;

 private:
  struct Piece {
    std::string path;
    unsigned first = 1;
    std::vector<std::string> lines;
  };
  int lineOf(const std::string& path, unsigned line) const;
  void addPieces(const std::string& path, const std::vector<unsigned>& used);

  struct Place {
    std::string path;
    unsigned line = 0;
  };
  static Place placeFrom(const std::string& source);  // "/home/me/file.cuh:12"

  std::map<const void*, Place> known_;
  std::vector<Piece> pieces_;
};
