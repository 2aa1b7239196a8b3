// What the parts of the translation share: the changes to make, and what is refused.
#pragma once

#include "simtcc/translate/declarations.h"
#include "simtcc/translate/translate.h"

namespace simt::cc {

// Changes to a text, made all at once; what is inserted at one place stays in the order of
// insert().
class Edits {
 public:
  void insert(size_t offset, std::string text) { changes_[offset].before += std::move(text); }
  void remove(const Token& token) { changes_[token.offset].removed = token.text.size(); }
  void replace(const Token& token, std::string text) {
    remove(token);
    insert(token.offset, std::move(text));
  }
  // Changes within are forgotten.
  void replace(size_t begin, size_t end, std::string text) {
    changes_.erase(changes_.lower_bound(begin), changes_.lower_bound(end));
    changes_[begin] = {std::move(text), end - begin};
  }
  std::string apply(std::string_view text) const { return apply(text, 0, text.size()); }
  std::string apply(std::string_view text, size_t begin, size_t end) const;  // of a part

 private:
  struct Change {
    std::string before;
    size_t removed = 0;
  };
  std::map<size_t, Change> changes_;
};

struct Job {
  const Source& source;
  const Declarations& declarations;
  Edits& edits;
  std::vector<Complaint>& complaints;
  std::vector<Complaint>& warnings;
  bool isLibrary = false;  // headers of CUDA's libraries: nothing is registered, nothing refused

  void refuse(size_t token, std::string text) const {
    complaints.push_back({source.place(token), std::move(text)});
  }
};

void translateLaunches(const Job& job);                                // launches.cpp
void translateClusters(const Job& job);                                // launches.cpp
void translateVariables(const Job& job, bool relocatable);             // variables.cpp
void translateNames(const Job& job);                                   // names.cpp
void translatePtx(const Job& job);                                     // ptx.cpp
void translateLibraries(std::string_view preprocessed, Edits& edits);  // libraries.cpp
void translateTwoSides(const Job& job, std::string_view preprocessedForHost,
                       bool relocatable);                              // two_sides.cpp
void refuseWhatCudaRefuses(const Job& job, bool constexprEverywhere);  // refuse.cpp
void refuseLetters(const Job& job, size_t name);                       // refuse.cpp
void refuseWhatIsMissing(const Job& job);                              // refuse.cpp

}  // namespace simt::cc
