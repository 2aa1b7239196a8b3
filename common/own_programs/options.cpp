#include "own_programs/options.h"

#include <algorithm>

#include "base/counts.h"
#include "base/errors.h"

ProgramOptions takeOptions(std::vector<std::string>& arguments) {
  ProgramOptions options;
  size_t next = 1;
  const auto value = [&](const std::string& option) {
    if (++next >= arguments.size() || arguments[next].empty())
      throw Error(exitUsage, option + ": a value is missing");
    return arguments[next];
  };
  for (; next < arguments.size(); ++next) {
    const std::string option = arguments[next];
    if (option == "--") {
      ++next;
      break;
    }
    if (option == "--no-estimate")
      options.estimate = false;
    else if (option == "--where")
      options.where = true;
    else if (option == "--card")
      options.card = value(option);
    else if (option == "--explore")
      options.explore = value(option);
    else if (option == "--kernel")
      options.kernel = value(option);
    else if (option == "--explore-block")
      options.exploreFrom = parseCount(option, value(option));
    else
      break;
  }
  if (arguments.size() > 1)
    arguments.erase(arguments.begin() + 1,
                    arguments.begin() + std::ptrdiff_t(std::min(next, arguments.size())));
  return options;
}
