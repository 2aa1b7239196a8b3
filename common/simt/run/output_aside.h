// What blocks print that run plain: it would come twice, or in another order.
#pragma once

#if defined(__linux__)
namespace simt {

// A file without a place, whose number is none of those of the program's input and output: these
// may be closed. Negative where there is none.
int memoryFile(const char* name);

// While one lives, what the process prints goes to a file of its own.
class OutputAside {
 public:
  OutputAside();
  ~OutputAside();
  OutputAside(const OutputAside&) = delete;
  OutputAside& operator=(const OutputAside&) = delete;
  bool isAside() const { return isAside_; }  // or it could not be
  bool hasSome() const;

 private:
  int before_[2], sink_;
  bool isAside_ = false;
};

}  // namespace simt
#endif
