// What every program's main() does, whatever the program is.
#pragma once

#include <exception>
#include <functional>
#include <string>

#include "base/errors.h"

// What was thrown, as the error that ends a program.
Error errorOf(const std::exception_ptr& thrown);

// Runs body and turns what it throws into one line on stderr and the program's exit code; a
// standard output that could not be written is exit code 2.
int runProgram(const std::string& program, const std::function<int()>& body);

// The words as one line that a shell takes apart again.
std::string shellCommand(int argc, char** argv);
