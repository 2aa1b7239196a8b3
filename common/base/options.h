// The command line of every program: options, most of them with a value, and what has no name.
#pragma once

#include <functional>
#include <string>
#include <vector>

class OptionReader {
 public:
  OptionReader(std::string about, std::string program);

  // What --help says of an option, in this order, and where its value goes. Given twice, it is
  // refused.
  void flag(const std::string& name, bool& given, const std::string& help);
  void value(const std::string& name, std::string& text, const std::string& kind,
             const std::string& help);
  // May be given without its value.
  void valueOrNone(const std::string& name, std::string& text, const std::string& kind,
                   const std::string& help);
  // May be given more than once.
  void values(const std::string& name, std::vector<std::string>& texts, const std::string& kind,
              const std::string& help);
  // Everything that is neither an option nor its value, which is refused otherwise.
  void words(std::vector<std::string>& words, const std::string& kind, const std::string& help);
  void footer(const std::string& text) { footer_ = text; }

  // Reads "--name value" and "--name=value". False where only the help was asked for, which is
  // printed. Throws Error where an option is not known, or not used as above; explain may put it
  // better.
  bool read(int argc, char** argv,
            const std::function<std::string(const std::string&)>& explain = {});
  // Whether it was given. Nobody gives one that there is not.
  bool has(const std::string& name) const;

 private:
  struct Option {
    std::string name, kind, help;
    std::function<void(const std::string&)> take;
    enum { none, maybe, one, several } values;
    bool given = false;
  };
  std::string help() const;
  // Where the words go on behind the option.
  int take(Option& option, const std::string* value, int next, int argc, char** argv);
  void readWords(int argc, char** argv);

  std::string about_, program_, footer_;
  std::vector<Option> options_;
  std::vector<std::string>* words_ = nullptr;
  std::string wordsKind_, wordsHelp_;
};
