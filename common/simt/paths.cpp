#include "simt/paths.h"

#include <algorithm>

namespace simt {

PathTree::PathTree() { clear(); }

void PathTree::clear() {
  segments_.clear();
  children_.clear();
  lastStart_ = nullptr;
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
  segment->number = uint32_t(segments_.size());
  return segments_.emplace_back(std::move(segment)).get();
}

bool PathTree::follow(PathSegment*& segment, uint32_t& length, uint32_t code) {
  PathSegment* next = nullptr;
  const uint64_t key =
      uint64_t(segment->number) << 38 | uint64_t(length) << 32 | code;  // length < 64
  if (segment == root_ && lastStart_ && lastStart_->codes[0] == code) {
    next = lastStart_;
  } else if (const auto it = children_.find(key); it != children_.end()) {
    next = it->second;
  } else if (segment != root_ && length == segment->length && length < PathSegment::capacity) {
    segment->codes[segment->length++] = code;
    ++length;
    return true;
  } else {
    next = add(segment, length);
    next->codes[next->length++] = code;
    children_[key] = next;
  }
  if (next->codesBefore + PathSegment::capacity > maxCodes ||
      next->accessesBefore + PathSegment::capacity > maxAccesses)
    return false;
  if (segment == root_) lastStart_ = next;
  segment = next;
  length = 1;
  return true;
}

}  // namespace simt
