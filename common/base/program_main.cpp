#include "base/program_main.h"

#include <iostream>
#include <new>

#include "base/errors.h"
#include "base/escape.h"

std::string shellCommand(int argc, char** argv) {
  std::string command;
  for (int i = 0; i < argc; ++i) command += (i == 0 ? "" : " ") + shellWord(argv[i]);
  return command;
}

int runProgram(const std::string& program, const std::function<int()>& body) {
  int code = exitUsage;
  std::string line;
  try {
    code = body();
    if (!std::cout.flush()) throw Error(exitUsage, "standard output could not be written");
    return code;
  } catch (const Error& error) {
    line = error.what();
    code = error.code;
  } catch (const std::bad_alloc&) {
    line = "not enough memory: choose a smaller --n";
    code = exitUsage;
  } catch (const std::exception& error) {
    line = error.what();
    code = exitWrong;
  }
  std::cerr << terminalText(program + ": " + line) << '\n';
  return code;
}
