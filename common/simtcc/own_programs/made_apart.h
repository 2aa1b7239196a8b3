// Text that is made in a process of its own, so that whatever happens there the program goes on.
#pragma once

#include <sys/types.h>

#include <functional>
#include <string>

struct MadeApart {
  std::string text;  // what make() returned
  std::string
      problem;  // empty, or why there is none: what make() threw, "it took too long", "it failed"
};

// A copy of this process, as it is now, that makes a text while this one goes on.
class MakingApart {
 public:
  // Has the copy call make(), for so many seconds of its own time at most.
  MakingApart(const std::function<std::string()>& make, unsigned seconds);
  ~MakingApart();
  MakingApart(const MakingApart&) = delete;
  MakingApart& operator=(const MakingApart&) = delete;
  // Waits for it, the first time.
  const MadeApart& made();
  double seconds() const { return seconds_; }  // of its own time, when it was waited for

 private:
  pid_t child_;
  int from_ = -1;
  double seconds_ = 0;
  MadeApart made_;
};
