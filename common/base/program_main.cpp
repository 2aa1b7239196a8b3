#include "base/program_main.h"

#include <csignal>
#include <iostream>
#include <new>

#include "base/escape.h"

std::string shellCommand(int argc, char** argv) {
  std::string command;
  for (int i = 0; i < argc; ++i) command += (i == 0 ? "" : " ") + shellWord(argv[i]);
  return command;
}

Error errorOf(const std::exception_ptr& thrown) {
  try {
    std::rethrow_exception(thrown);
  } catch (const Error& error) {
    return error;
  } catch (const std::bad_alloc&) {
    return {exitUsage, "not enough memory: choose a smaller --n"};
  } catch (const std::exception& error) {
    return {exitWrong, error.what()};
  }
}

int runProgram(const std::string& program, const std::function<int()>& body) {
  signal(SIGXFSZ, SIG_IGN);  // a file that may not grow is an error, also where it is the output
  try {
    const int code = body();
    if (!std::cout.flush()) throw Error(exitUsage, "standard output could not be written");
    return code;
  } catch (const std::exception&) {
    const Error error = errorOf(std::current_exception());
    std::cerr << terminalText(program + ": " + error.what()) << '\n';
    return error.code;
  }
}
