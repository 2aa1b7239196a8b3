#include "base/options.h"

#include <algorithm>
#include <iostream>
#include <string_view>

#include "base/errors.h"

OptionReader::OptionReader(std::string about, std::string program)
    : about_(std::move(about)), program_(std::move(program)) {}

void OptionReader::flag(const std::string& name, bool& given, const std::string& help) {
  options_.push_back({name, "", help, [&](const std::string&) { given = true; }, Option::none});
}

void OptionReader::value(const std::string& name, std::string& text, const std::string& kind,
                         const std::string& help) {
  options_.push_back({name, kind, help, [&](const std::string& t) { text = t; }, Option::one});
}

void OptionReader::valueOrNone(const std::string& name, std::string& text, const std::string& kind,
                               const std::string& help) {
  value(name, text, "[" + kind + "]", help);
  options_.back().values = Option::maybe;
}

void OptionReader::values(const std::string& name, std::vector<std::string>& texts,
                          const std::string& kind, const std::string& help) {
  options_.push_back({name, kind + " ...", help,
                      [&](const std::string& text) { texts.push_back(text); }, Option::several});
}

void OptionReader::words(std::vector<std::string>& words, const std::string& kind,
                         const std::string& help) {
  words_ = &words;
  wordsKind_ = kind;
  wordsHelp_ = help;
}

bool OptionReader::has(const std::string& name) const {
  return std::ranges::any_of(options_, [&](const Option& o) { return o.name == name && o.given; });
}

std::string OptionReader::help() const {
  const auto line = [](std::string name, const std::string& help) {
    name.resize(std::max<size_t>(name.size() + 1, 28), ' ');
    return "  " + name + help + "\n";
  };
  std::string text = about_ + "\nUsage: " + program_ + " [OPTIONS]";
  if (words_) text += " " + wordsKind_ + "...\n\n" + line(wordsKind_ + "...", wordsHelp_);
  text += (words_ ? "\n" : "\n\n") + line("-h, --help", "show this and exit");
  for (const Option& option : options_)
    text += line(option.name + (option.kind.empty() ? "" : " " + option.kind), option.help);
  return text + (footer_.empty() ? "" : "\n" + footer_ + "\n");
}

int OptionReader::take(Option& option, const std::string* value, int next, int argc, char** argv) {
  if (option.given && option.values != Option::several && option.values != Option::none)
    throw Error(exitUsage, option.name + ": given twice");
  if (value && option.values == Option::none)
    throw Error(exitUsage, option.name + ": takes no value");
  option.given = true;
  if (value || option.values == Option::none ||
      (option.values == Option::maybe && (next == argc || argv[next][0] == '-'))) {
    option.take(value ? *value : "");
    return next;
  }
  if (next == argc) throw Error(exitUsage, option.name + ": " + option.kind + " is missing");
  option.take(argv[next]);
  return next + 1;
}

void OptionReader::readWords(int argc, char** argv) {
  for (int next = 1; next < argc;) {
    const std::string word = argv[next++];
    const size_t equals = word.starts_with("--") ? word.find('=') : word.npos;
    const std::string name = word.substr(0, equals),
                      value = equals == word.npos ? "" : word.substr(equals + 1);
    const auto option = std::ranges::find(options_, name, &Option::name);
    if (option != options_.end())
      next = take(*option, equals == word.npos ? nullptr : &value, next, argc, argv);
    else if (words_ && !word.starts_with('-'))
      words_->push_back(word);
    else
      throw Error(exitUsage, "the argument " + word + " was not expected");
  }
}

bool OptionReader::read(int argc, char** argv,
                        const std::function<std::string(const std::string&)>& explain) {
  for (int i = 1; i < argc; ++i)
    if (const std::string_view word = argv[i]; word == "--help" || word == "-h") {
      std::cout << help();
      return false;
    }
  try {
    readWords(argc, argv);
  } catch (const Error& error) {
    throw Error(exitUsage,
                (explain ? explain(error.what()) : error.what()) + " (--help lists the options)");
  }
  return true;
}
