// The command line of every program. CLI11 reads it, whose header takes 4 s to compile: here, once.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace CLI {
class App;
}

class OptionReader {
 public:
  OptionReader(const std::string& about, const std::string& program);
  ~OptionReader();

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
  void footer(const std::string& text);

  // False where only the help was asked for, which is printed. Throws Error where an option is not
  // known, or not used as above, in CLI11's words or what explain makes of them.
  bool read(int argc, char** argv,
            const std::function<std::string(const std::string&)>& explain = {});
  // Whether it was given. Nobody gives one that there is not.
  bool has(const std::string& name) const;

 private:
  std::unique_ptr<CLI::App> app_;
};
