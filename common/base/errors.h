// Errors that end a program, and the exit codes of every program.
#pragma once

#include <stdexcept>
#include <string>

enum ExitCode { exitRight = 0, exitWrong = 1, exitUsage = 2, exitNoDevice = 3 };

// An error the user should read: what() is one line, code is what the program exits with.
struct Error : std::runtime_error {
  ExitCode code;
  Error(ExitCode code_, const std::string& line) : std::runtime_error(line), code(code_) {}
};
