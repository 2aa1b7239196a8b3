#include "simtcc/own_programs/options.h"

#include <algorithm>

#include "base/counts.h"
#include "base/errors.h"

ProgramOptions takeOptions(std::vector<std::string>& arguments) {
  ProgramOptions options;
  if (!arguments.empty()) options.program = arguments[0].substr(arguments[0].find_last_of('/') + 1);
  size_t next = 1;
  std::string option, behind;  // --card=h100 as well as --card h100
  const auto value = [&] {
    const bool joined = option.size() < arguments[next].size();
    if (!joined && ++next < arguments.size()) behind = arguments[next];
    if (behind.empty()) throw Error(exitUsage, option + ": a value is missing");
    return behind;
  };
  for (; next < arguments.size(); ++next) {
    const std::string& argument = arguments[next];
    const size_t equals = std::min(argument.find('='), argument.size());
    option = argument.substr(0, equals);
    behind = argument.substr(std::min(equals + 1, argument.size()));
    if (argument == "--") {
      ++next;
      break;
    }
    if (argument == "--no-estimate")
      options.estimate = false;
    else if (argument == "--where")
      options.where = true;
    else if (argument == "--full")
      options.full = true;
    else if (argument == "--fast")
      options.fast = true;
    else if (argument == "--ptx")
      options.ptx = true;
    else if (argument == "--only-estimate")
      options.run = false;
    else if (option == "--card")
      options.card = value(), options.cardAsked = true;
    else if (option == "--explore")
      options.explore = value();
    else if (option == "--report")
      options.report = value();
    else if (option == "--kernel")
      options.kernel = value();
    else if (option == "--explore-block")
      options.exploreFrom = parseCount("--explore-block", value());
    else
      break;
  }
  if (!options.run && (!options.estimate || !options.explore.empty()))
    throw Error(exitUsage, "--only-estimate goes with neither --no-estimate nor --explore");
  if (arguments.size() > 1)
    arguments.erase(arguments.begin() + 1,
                    arguments.begin() + std::ptrdiff_t(std::min(next, arguments.size())));
  return options;
}
