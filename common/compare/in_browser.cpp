// compare for the site's page of results, as WebAssembly: files are taken one by one, then
// compared. What is said stays until the next call; a page makes this anew for each comparison.
#include <exception>
#include <string>
#include <vector>

#include "compare/result_pages.h"
#include "report/result_file.h"

namespace {

std::vector<Report> taken;
std::string said;

}  // namespace

extern "C" {

// The text of a result file; name is for the page and messages. False for one that is refused.
bool takeResult(const char* name, const char* text) {
  try {
    taken.push_back(parseResult(text, name));
    return true;
  } catch (const std::exception& error) {
    said = error.what();
    return false;
  }
}

// Why the last one was refused.
const char* whyRefused() { return said.c_str(); }

const char* comparedPage() {
  said = htmlPage(compareResults(taken, StepOrder::lesson));
  return said.c_str();
}
}
