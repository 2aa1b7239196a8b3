// What recipes can say of the records: the functions in formulas, and figures as pages show them.
#pragma once

#include <string>

#include "weave/formulas.h"
#include "weave/records.h"

// Everything throws Error (exitUsage) with the reason.
class Figures {
 public:
  // Both have to live as long as the object does.
  Figures(const Repository& repository, const Recipes& recipes)
      : recipes_(recipes), records_(repository, recipes) {}

  // A formula with its format, FORMULA % FORMAT, as a page shows it. Without a format of its own, a
  // named formula that stands alone is shown in that formula's format.
  std::string shown(const std::string& text);

  Records& records() { return records_; }

 private:
  double value(const std::string& formula);
  double numberOf(const Call& call);
  std::string withArguments(const Call& call);

  const Recipes& recipes_;
  Records records_;
  int depth_ = 0;  // of named formulas in each other
  int calls_ = 0;  // of functions, in one figure
};

// A text in which values stand for $names. Throws Error (exitUsage) for a $ without a known name,
// and for a text that grows beyond the longest that recipes need.
inline constexpr size_t longest = 100000;
std::string substituted(const std::string& text, const std::map<std::string, std::string>& values);
