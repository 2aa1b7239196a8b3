#include "base/program_main.h"

#include <algorithm>
#include <iostream>
#include <new>

#include "base/errors.h"

std::string shellCommand(int argc, char** argv) {
  std::string command;
  for (int i = 0; i < argc; ++i) {
    const std::string word = argv[i];
    const bool plain =
        !word.empty() && word.find_first_not_of(
                             "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                             "^_-+=./:,@%") == std::string::npos;
    command += i == 0 ? "" : " ";
    if (plain) {
      command += word;
      continue;
    }
    command += '\'';
    for (const char c : word) command += c == '\'' ? std::string("'\\''") : std::string(1, c);
    command += '\'';
  }
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
  std::ranges::replace_if(
      line, [](char c) { return c == '\n' || c == '\r'; }, ' ');
  std::cerr << program << ": " << line << '\n';
  return code;
}
