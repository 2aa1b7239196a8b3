// libFuzzer: the reader of marks and recipes. Behind the first line ==== stand the recipes; there
// is no repository, so no file is read and no program run.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "weave/weave.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  const std::string line = "\n====\n";
  const size_t at = text.find(line);
  const std::string page = text.substr(0, at);
  const std::string recipes = at == std::string::npos ? "" : text.substr(at + line.size());
  Problems problems;
  const Woven woven =
      weave(page, recipes, "README.md", {"/no/such/folder", "/no/such/folder"}, problems);
  if (!problems.empty()) return 0;
  // What is filled once stays as it is.
  const Woven again =
      weave(woven.text, recipes, "README.md", {"/no/such/folder", "/no/such/folder"}, problems);
  if (!problems.empty() || again.text != woven.text || !woven.files.empty()) std::abort();
  return 0;
}
