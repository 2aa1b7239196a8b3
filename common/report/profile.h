// The one reader of what Nsight Compute counted, as the scripts profile.sh write it.
#pragma once

#include <string>
#include <vector>

// One figure of one kernel: the total over a launch, or what the metric's name says.
struct ProfileRow {
  std::string kernel;  // with its template arguments
  unsigned block = 0;  // threads per block and blocks of the launch; 0 where the file has neither
  double blocks = 0;
  std::string metric;
  double value = 0;
};

// A file of lines kernel,block,blocks,metric,value or kernel,metric,value; # begins a comment.
class Profile {
 public:
  // Throws Error (exitUsage) for a file that cannot be read or a line that is neither.
  explicit Profile(const std::string& path);

  const std::vector<ProfileRow>& rows() const { return rows_; }

  // The first row of this kernel, with or without its template arguments; null where there is
  // none. An empty metric is any.
  const ProfileRow* find(const std::string& kernel, const std::string& metric = "",
                         unsigned block = 0) const;

 private:
  std::vector<ProfileRow> rows_;
};
