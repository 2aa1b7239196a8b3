// What requests to memory touch: sectors, lines, banks, and who touched them before.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <vector>

#include "estimate/gpu_code/distances.h"
#include "estimate/gpu_code/machine.h"
#include "estimate/gpu_code/passes.h"
#include "estimate/gpu_code/read_again.h"
#include "estimate/place_table.h"
#include "estimate/warp_program.h"

namespace estimate::gpu_code {

inline constexpr uint64_t sectorBytes = 32, pieceBytes = 256;

// An array of the program's.
struct ArrayRange {
  uint64_t begin = 0, end = 0;
  WithHost withHost = {};
};

// Of one launch, block after block.
class Requests {
 public:
  // blocksOfRow: of the grid.
  Requests(Launch& launch, std::vector<ArrayRange> arrays, uint64_t blocksOfRow)
      : launch_(launch), arrays_(std::move(arrays)), blocksOfRow_(blocksOfRow) {}
  void blockBegins(uint64_t number, unsigned warps);
  // The sectors of a request to global memory, filled into the operation of this place in its
  // warp's list. Which of them come from memory may change with later blocks.
  void add(Operation& operation, unsigned warp, size_t place, uint32_t waits, uint32_t lanes,
           const uint64_t* addresses);
  // The same of a thread's own memory, where each lane's words lie beside those of the others.
  void addLocal(Operation& operation, unsigned warp, uint32_t lanes, const uint64_t* addresses);
  void passBarrier(unsigned warp) { ++barriers_[warp]; }
  // The block's operations are in the launch now, and its lone sectors are known.
  void blockEnds();
  void finish();

 private:
  struct Nothing {};
  struct FirstRead {  // the operation that reads a sector before all others
    uint32_t block = 0, warp = 0, place = 0;
    uint32_t before = 0;  // reads that its warp made before
    uint32_t waits = 0;   // … and waited for: see WarpWriter
    bool operator==(const FirstRead&) const = default;
  };
  static bool areAtOneTime(const FirstRead& one, const FirstRead& other);
  bool areNeighbours(const FirstRead& one, const FirstRead& other) const;
  bool readsFirst(uint64_t sector, const FirstRead& place);
  bool isWrittenAgain(Operation& operation, uint64_t sector, uint32_t warp, uint32_t bytes);
  bool isBrought(uint64_t sector, const FirstRead& place);
  Operation& operationAt(const FirstRead& place);
  static void keepLoneWithinMemory(Operation& operation);
  uint16_t arrayOf(uint64_t from, uint64_t to);

  Launch& launch_;
  std::vector<ArrayRange> arrays_;
  uint64_t blocksOfRow_;
  struct Extent {
    uint16_t place = 0;
    uint64_t from = 0, to = 0;
  };
  std::map<uint64_t, Extent> extents_;
  PlaceTable<FirstRead> read_;
  struct OnItsWay {
    FirstRead place;
    uint64_t sector;
  };
  std::vector<OnItsWay> onTheirWay_;  // what others asked for at about that time
  struct Written {
    uint32_t bytes = 0;  // of a sector: a bit for each
    uint32_t block = 0;
    bool bySeveral = false, byFar = false;  // by which blocks: several, and some that are far apart
  };
  PlaceTable<Written> written_;
  void noteBytes(const Operation& operation, uint32_t lanes, const uint64_t* addresses);
  struct Piece {
    uint64_t block = 0;  // the first that updated it
    bool isShared = false;
    uint32_t updates = 0, blocks = 0;  // of lanes, and blocks that do
    std::array<uint32_t, 8> slow{};  // … of floats, by sector: a request's only one of the piece
  };
  PlaceTable<Piece> atomicPieces_;
  std::map<uint16_t, std::pair<uint64_t, uint64_t>> updated_;  // by array: which of it atomics have
  size_t piecesOfOneBlock_ = 0, sharedPieces_ = 0, blocks_ = 0;
  uint64_t block_ = 0;  // its number in the grid
  bool isFarFrom(uint64_t block) const;
  // Of the block.
  struct ReadByBlock {
    FirstRead by;
    uint32_t barriers = 0;  // that it had passed
    uint64_t together = 0;  // see Operation
  };
  PlaceTable<ReadByBlock> readByBlock_;
  struct Earlier {  // a sector that one warp reads earlier than another that was executed before it
    uint64_t sector;
    FirstRead late, early;
  };
  std::vector<Earlier> earlier_;
  bool isReadByBlock(uint64_t sector, const FirstRead& place, uint64_t& together);
  void moveToEarlier();
  bool wasJustRead(uint64_t sector, uint32_t warp) const;
  PlaceTable<Nothing> atomicPiecesOfBlock_;
  struct LastWrite {
    uint32_t warp = 0, stores = 0, reads = 0;  // which warp's, and how many that made before
    uint32_t bytes = 0;  // of the sector that stores of the block filled: a bit for each
  };
  PlaceTable<LastWrite> writtenByBlock_;
  PlaceTable<uint8_t> lines_, linesWritten_;  // that it touched: of their sectors a bit for each
  std::vector<uint32_t> reads_, stores_, barriers_;  // of each warp, so far
  std::vector<Distances> distances_;  // … of lines, from its first access to its own memory
  void noteDistance(unsigned warp, std::span<const uint64_t> lines);
  struct FromMemory {
    uint32_t warp, place;
    std::vector<uint64_t> sectors;
  };
  std::vector<FromMemory> fromMemory_, toMemory_;
  void findLone(const std::vector<FromMemory>& requests, PlaceTable<uint8_t>& lines);
  ReadAgain readAgain_;
  struct InParts {  // a store that fills none of its sectors
    uint32_t block, warp, place;
    std::vector<uint64_t> sectors;
  };
  std::vector<InParts> inParts_;
};

}  // namespace estimate::gpu_code
