// The paths that threads take through a kernel, in a tree: what a path has in common with one that
// was taken before is not written down again, only compared. Two threads took the same path when
// they are at the same place in the tree.
#pragma once

#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "simt/hardware/requests.h"
#include "simt/paths/sites.h"

namespace simt {

// A path is a sequence of codes: an instruction's address, and what it is.
enum class CodeTag : uint32_t {
  basicBlock,
  access,
  meeting  // a barrier, a warp operation, or the kernel's end
};
inline uint32_t codeOf(const void* pc, CodeTag tag) {
  return uint32_t(reinterpret_cast<uintptr_t>(pc)) << 2 | uint32_t(tag);
}
inline CodeTag tagOf(uint32_t code) { return CodeTag(code & 3); }

// A piece of a path, at most so many codes long. Never moves.
struct PathSegment {
  struct Child {
    uint32_t length, code;  // how much of this segment comes before, and the child's first code
    PathSegment* segment;
  };
  static constexpr uint32_t capacity = 52;
  PathSegment* parent;
  uint32_t parentLength;    // how many of the parent's codes come before
  uint32_t codesBefore;     // in the whole path
  uint32_t accessesBefore;  // likewise
  uint32_t length = 0;
  uint32_t codes[capacity + 1] = {};  // 0 ends them
  std::vector<Child> children;        // those often asked for first
  PathSegment* lastChild = nullptr;   // that was asked for last
  bool atLimit = false;               // a path that comes here must end
  PathSegment* nextStart = nullptr;   // where the path began that came behind one that ended here
};

// An instruction that accesses memory.
struct AccessSite {
  const void* pc;
  Access kind;
  uint32_t number;  // siteOf()
};

class PathTree {
 public:
  PathTree();

  // Where a path begins: with none of the codes of the segment that began the last one behind a
  // path that ended in this segment. Null stands for the first path of a block.
  PathSegment* likelyStart(const PathSegment* before) {
    PathSegment* const start = (before ? before : root_)->nextStart;
    return start ? start : root_;
  }
  void noteStart(PathSegment* before, PathSegment* start) {
    (before ? before : root_)->nextStart = start;
  }
  // Follows or adds the code that comes after the first length codes of a segment. Moves segment
  // and length on. False, with nothing changed, when the path would get too long.
  bool follow(PathSegment*& segment, uint32_t& length, uint32_t code);

  void nameSite(uint32_t code, const void* pc, Access kind) {
    sites_.try_emplace(code, AccessSite{pc, kind, siteOf(pc)});
  }
  const AccessSite& site(uint32_t code) const { return sites_.at(code); }

  bool large() const { return segments_.size() > maxSegments; }
  void clear();  // no thread may be on a path

  // Limits of one path.
  static constexpr uint32_t maxCodes = 4096, maxAccesses = 512;

 private:
  static constexpr size_t maxSegments = size_t(1) << 17;
  PathSegment* add(PathSegment* parent, uint32_t parentLength);

  std::vector<std::unique_ptr<PathSegment>> segments_;
  std::unordered_map<uint32_t, AccessSite> sites_;  // by code
  PathSegment* root_ = nullptr;
};

}  // namespace simt
