// Files of the repository that pages show or lead to, in the site.
#pragma once

#include <set>
#include <string>

#include "site/site.h"

class Copies {
 public:
  // Both have to live as long as the object does.
  Copies(const Repository& repository, SiteFiles& files) : repository_(repository), files_(files) {}

  // Where a file stands in the site: sources get a page, and all else is copied. Throws Error
  // (exitUsage) for what is no file.
  std::string placeOf(const std::string& path);
  // Where the list of a folder's files stands.
  std::string folder(const std::string& path);

  const std::set<std::string>& sources() const { return sources_; }
  const std::set<std::string>& folders() const { return folders_; }

 private:
  const Repository& repository_;
  SiteFiles& files_;
  std::set<std::string> sources_, folders_;
};

// Whether a file is code, which is shown as a page.
bool isSource(const std::string& path);

// Width and height of a drawing as attributes, so that a page knows its place before it is there.
std::string sizeOf(const std::string& svg);
