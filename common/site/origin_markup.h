// Where figures and blocks come from, as pages say it.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "site/copies.h"
#include "site/origins.h"
#include "site/pages.h"

class OriginMarkup {
 public:
  // Both have to live as long as the object does.
  OriginMarkup(const Repository& repository, Copies& copies)
      : repository_(repository), copies_(copies), commits_(commitsOf(repository)) {}

  // Formula, command or source, and every record with what it knows of itself, on the page html.
  std::string said(const Origin& origin, const Language& language, const std::string& html);

  // A record with its date and commit, and with machine and command.
  std::string recordLine(const std::string& path, const Language& language, const std::string& html,
                         bool whole = true);

  // Each of the figures once: what #from-NAME leads to.
  std::string figureList(const std::vector<std::string>& figures, const Language& language,
                         const std::string& html, Origins& origins);

 private:
  const RecordFacts& factsAt(const std::string& path);

  const Repository& repository_;
  Copies& copies_;
  const Commits commits_;
  std::map<std::string, RecordFacts> facts_;  // by path
};

// An element with a text in it; open is its name and its attributes.
std::string element(const std::string& open, const std::string& text);
