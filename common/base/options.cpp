#include "base/options.h"

#include <CLI/CLI.hpp>
#include <iostream>

#include "base/errors.h"

OptionReader::OptionReader(const std::string& about, const std::string& program)
    : app_(std::make_unique<CLI::App>(about, program)) {}
OptionReader::~OptionReader() = default;

void OptionReader::flag(const std::string& name, bool& given, const std::string& help) {
  app_->add_flag(name, given, help);
}

void OptionReader::value(const std::string& name, std::string& text, const std::string& kind,
                         const std::string& help) {
  app_->add_option(name, text, help)->type_name(kind);
}

void OptionReader::valueOrNone(const std::string& name, std::string& text, const std::string& kind,
                               const std::string& help) {
  app_->add_option(name, text, help)->type_name("[" + kind + "]")->expected(0, 1);
}

void OptionReader::values(const std::string& name, std::vector<std::string>& texts,
                          const std::string& kind, const std::string& help) {
  app_->add_option(name, texts, help)->type_name(kind)->allow_extra_args(false);
}

void OptionReader::words(std::vector<std::string>& words, const std::string& kind,
                         const std::string& help) {
  app_->add_option(kind, words, help)->type_name("");
}

void OptionReader::footer(const std::string& text) { app_->footer(text); }

bool OptionReader::read(int argc, char** argv,
                        const std::function<std::string(const std::string&)>& explain) {
  try {
    app_->parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    std::cout << app_->help();
    return false;
  } catch (const CLI::ParseError& error) {
    throw Error(exitUsage,
                (explain ? explain(error.what()) : error.what()) + " (--help lists the options)");
  }
  return true;
}

bool OptionReader::has(const std::string& name) const {
  const CLI::Option* const option = app_->get_option_no_throw(name);
  return option && option->count() > 0;
}
