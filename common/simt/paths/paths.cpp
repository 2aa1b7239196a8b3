#include "simt/paths/paths.h"

#include <algorithm>

namespace simt {

PathTree::PathTree() { clear(); }

void PathTree::clear() {
  segments_.clear();
  root_ = add(nullptr, 0);
}

PathSegment* PathTree::add(PathSegment* parent, uint32_t parentLength) {
  auto segment = std::make_unique<PathSegment>();
  segment->parent = parent;
  segment->parentLength = parentLength;
  segment->codesBefore = parent ? parent->codesBefore + parentLength : 0;
  segment->accessesBefore = parent ? parent->accessesBefore : 0;
  if (parent)
    segment->accessesBefore +=
        uint32_t(std::count_if(parent->codes, parent->codes + parentLength,
                               [](uint32_t code) { return tagOf(code) == CodeTag::access; }));
  segment->atLimit = segment->codesBefore + PathSegment::capacity > maxCodes ||
                     segment->accessesBefore + PathSegment::capacity > maxAccesses;
  return segments_.emplace_back(std::move(segment)).get();
}

bool PathTree::follow(PathSegment*& segment, uint32_t& length, uint32_t code) {
  if (length == 0) segment = root_;  // begins otherwise than was likely
  PathSegment* next = nullptr;
  auto& children = segment->children;
  for (size_t i = 0; i < children.size() && !next; ++i) {
    if (children[i].code != code || children[i].length != length) continue;
    next = children[i].segment;
    if (i > 0) std::swap(children[i], children[i - 1]);
  }
  if (!next && segment != root_ && length == segment->length && length < PathSegment::capacity) {
    segment->codes[segment->length++] = code;
    ++length;
    return true;
  }
  if (!next) {
    next = add(segment, length);
    next->codes[next->length++] = code;
    children.push_back({length, code, next});
  }
  if (next->atLimit) return false;
  segment->lastChild = next;
  segment = next;
  length = 1;
  return true;
}

}  // namespace simt
