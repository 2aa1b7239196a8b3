// The command line of every program.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <iostream>
#include <string>

#include "base/errors.h"

// Reads the app's options. False where only the help was asked for, which is printed. Throws Error
// where they are wrong, in CLI's words or what explain makes of them.
inline bool readOptions(CLI::App& app, int argc, char** argv,
                        const std::function<std::string(const char*)>& explain = {}) {
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    std::cout << app.help();
    return false;
  } catch (const CLI::ParseError& error) {
    throw Error(exitUsage,
                (explain ? explain(error.what()) : error.what()) + " (--help lists the options)");
  }
  return true;
}
