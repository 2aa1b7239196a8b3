#include "simt/observe/parallel_trace.h"

#ifdef __linux__
#include <sys/stat.h>
#include <unistd.h>

#include <cstring>
#include <map>
#include <span>
#include <utility>

#include "simt/observe/tracer.h"

namespace simt {
namespace {

// The steps and words of a block that a worker process has traced follow this.
struct TracedPart {
  size_t position;  // of the block, in the order in which the launch runs them
  dim3 index;
  size_t steps, words;
  bool cutOff;
};

bool writeAll(int file, const void* data, size_t bytes) {
  for (const char* from = static_cast<const char*>(data); bytes > 0;) {
    const ssize_t written = write(file, from, bytes);
    if (written <= 0) return false;
    from += written;
    bytes -= size_t(written);
  }
  return true;
}

}  // namespace

bool sendTrace(int file, const Trace& trace, const std::vector<size_t>& positions) {
  size_t step = 0;
  for (size_t block = 0; block < trace.blocks.size(); ++block) {
    const size_t first = step;
    while (step < trace.steps.size() && trace.steps[step].block == block) ++step;
    const size_t firstWord = first < trace.steps.size() ? trace.steps[first].words : 0;
    const size_t end = step < trace.steps.size() ? trace.steps[step].words : trace.words.size();
    const size_t words = first == step ? 0 : end - firstWord;
    const TracedPart part{positions[block], trace.blocks[block].index, step - first, words,
                          trace.cutOff};
    if (!writeAll(file, &part, sizeof part) ||
        !writeAll(file, trace.steps.data() + first, part.steps * sizeof(TraceStep)) ||
        !writeAll(file, trace.words.data() + firstWord, words * sizeof(uint64_t)))
      return false;
  }
  return true;
}

namespace {

// Nothing, where not all could be read.
std::vector<char> contentsOf(int file) {
  struct stat status {};
  if (fstat(file, &status) != 0) return {};
  std::vector<char> contents(size_t(status.st_size));
  size_t sofar = 0;
  while (sofar < contents.size()) {
    const ssize_t count =
        pread(file, contents.data() + sofar, contents.size() - sofar, off_t(sofar));
    if (count <= 0) return {};
    sofar += size_t(count);
  }
  return contents;
}

template <typename T>
std::vector<T> takeFrom(std::span<const char>& rest, size_t count) {
  std::vector<T> items(count);
  if (count > 0) std::memcpy(items.data(), rest.data(), count * sizeof(T));
  rest = rest.subspan(count * sizeof(T));
  return items;
}

}  // namespace

void takeOverTraces(const std::vector<int>& files) {
  struct Traced {
    TracedPart part;
    std::vector<TraceStep> steps;
    std::vector<uint64_t> words;
  };
  std::map<size_t, Traced> blocks;  // by position
  for (const int file : files) {
    const std::vector<char> contents = contentsOf(file);
    for (std::span<const char> rest = contents; !rest.empty();) {
      const TracedPart part = takeFrom<TracedPart>(rest, 1)[0];
      auto steps = takeFrom<TraceStep>(rest, part.steps);
      blocks[part.position] = {part, std::move(steps), takeFrom<uint64_t>(rest, part.words)};
    }
  }
  for (const auto& [position, b] : blocks)
    Tracer::takeOver(b.part.index, b.steps, b.words, b.part.cutOff);
}

}  // namespace simt
#endif
