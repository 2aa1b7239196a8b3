// The part of a kernel's control flow that the lanes of a warp were seen to take: which blocks make
// loops, in which order blocks come, and where a loop has been left for good.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

namespace simt {

// Basic blocks are numbered in the order in which they were met; 0 is where the lanes were when
// they last met, 1 is where they meet next.
class FlowGraph {
 public:
  static constexpr uint32_t start = 0, end = 1;

  FlowGraph();
  uint32_t blockOf(uint32_t code);  // numbers it if it is new
  uint32_t known(uint32_t code) const { return numbers_.at(code); }
  void addEdge(uint32_t from, uint32_t to);
  // Finds loops and orders the blocks. To be called after edges were added.
  void analyse();

  // After analyse(). The position of a block: behind those that lead to it, but for a loop's way
  // back.
  uint32_t orderOf(uint32_t block) const { return order_[block]; }
  bool isLoopHead(uint32_t block) const { return loopOf_[block] >= 0; }
  // Blocks that were seen to come after this one.
  const std::vector<uint32_t>& after(uint32_t block) const { return next_[block]; }
  // Whether a lane that comes to this block has left the loop with that head: every lane that
  // leaves the loop comes here.
  bool leavesLoop(uint32_t head, uint32_t block) const;

 private:
  using Set = std::vector<bool>;
  void visit(uint32_t block);
  Set loopBlocks(uint32_t head) const;
  Set alwaysReachedFrom(uint32_t head) const;

  std::unordered_map<uint32_t, uint32_t> numbers_;  // by code
  std::vector<std::vector<uint32_t>> next_, previous_;
  bool changed_ = false;

  enum class Mark : uint8_t { unseen, open, done };
  std::vector<Mark> marks_;
  std::vector<uint32_t> order_;
  uint32_t remaining_ = 0;
  std::vector<std::vector<uint32_t>> loopEnds_;  // by head: the blocks from which a way goes back
  std::vector<int> loopOf_;                      // by block: its number in left_, or -1
  std::vector<Set> left_;
};

}  // namespace simt
