#include "simtcc/runtime/managed_pages.h"

#include <algorithm>
#include <cstring>
#include <map>

#include "simtcc/runtime/configured_launch.h"

namespace simt {
namespace {

constexpr size_t pageBytes = size_t(64) << 10, mostPieces = 1024, wordsOfPiece = 8;
constexpr size_t fewBytes = 4096;  // arrays of no more lie in one page

enum class Holder : uint8_t { nowhere, host, device };
struct Piece {
  Holder where = Holder::nowhere;
  uint64_t words = 0;  // a hash of some of them, as they were last seen
};
struct Managed {
  uintptr_t begin, end;
  size_t pieceBytes;
  std::vector<Piece> pieces;

  uint64_t hashOf(size_t piece) const {
    const uintptr_t from = begin + piece * pieceBytes, to = std::min(from + pieceBytes, end);
    const size_t bytes = to - from, step = std::max<size_t>(8, bytes / wordsOfPiece / 8 * 8);
    if (end - begin <= pageBytes) return hashOfBytes(0, reinterpret_cast<const void*>(from), bytes);
    uint64_t hash = 0;
    for (uintptr_t at = from; at + 8 <= to; at += step)
      hash = hashOfBytes(hash, reinterpret_cast<const void*>(at), 8);
    return hash;
  }
  void goes(uintptr_t from, uintptr_t to, Holder where) {
    for (size_t i = (from - begin) / pieceBytes; i < pieces.size(); ++i) {
      if (begin + i * pieceBytes >= to) break;
      pieces[i] = {where, hashOf(i)};
    }
  }
};
std::map<uintptr_t, Managed>& all() {
  static auto& arrays = *new std::map<uintptr_t, Managed>;  // by begin
  return arrays;
}
Managed* managedAt(uintptr_t address) {
  auto it = all().upper_bound(address);
  if (it == all().begin()) return nullptr;
  Managed& its = (--it)->second;
  return address < its.end ? &its : nullptr;
}

// Each word of the arguments that is an address in an array.
std::vector<Managed*> pointedAt(const void* arguments, size_t bytes) {
  std::vector<Managed*> found;
  if (all().empty()) return found;
  for (size_t at = 0; at + sizeof(uintptr_t) <= bytes; at += sizeof(uintptr_t)) {
    uintptr_t word = 0;
    std::memcpy(&word, static_cast<const char*>(arguments) + at, sizeof word);
    Managed* const array = managedAt(word);
    if (array && std::ranges::find(found, array) == found.end()) found.push_back(array);
  }
  return found;
}

}  // namespace

void managedBegins(const void* array, size_t bytes) {
  const auto begin = reinterpret_cast<uintptr_t>(array);
  const size_t pages = (bytes + pageBytes - 1) / pageBytes;
  const size_t piece = (pages + mostPieces - 1) / mostPieces * pageBytes;
  Managed& its = all()[begin] = {begin, begin + bytes, piece, {}};
  its.pieces.resize((bytes + piece - 1) / piece);
  its.goes(begin, begin + bytes, Holder::nowhere);
}

void managedEnds(const void* array) { all().erase(reinterpret_cast<uintptr_t>(array)); }

void managedGoes(const void* memory, size_t bytes, bool toDevice) {
  const auto from = reinterpret_cast<uintptr_t>(memory);
  if (Managed* const its = managedAt(from))
    its->goes(from, from + bytes, toDevice ? Holder::device : Holder::host);
}

void managedIsWaitedFor() {
  for (auto& [begin, its] : all())
    if (its.end - begin <= pageBytes && its.pieces[0].where == Holder::device)
      its.pieces[0].where = Holder::host;
}

std::vector<PagesWithHost> managedWithHost(const void* arguments, size_t bytes) {
  std::vector<PagesWithHost> found;
  for (Managed* const its : pointedAt(arguments, bytes)) {
    float written = 0, untouched = 0;
    for (size_t i = 0; i < its->pieces.size(); ++i) {
      Piece& piece = its->pieces[i];
      if (piece.where != Holder::host && piece.words != its->hashOf(i)) piece.where = Holder::host;
      written += piece.where == Holder::host;
      untouched += piece.where == Holder::nowhere;
    }
    const auto pieces = float(its->pieces.size());
    if (written + untouched > 0)
      found.push_back({its->begin, written / pieces, untouched / pieces});
  }
  return found;
}

void managedWasTouched(const void* arguments, size_t bytes) {
  bool isPageOfFew = false;
  for (Managed* const its : pointedAt(arguments, bytes)) {
    its->goes(its->begin, its->end, Holder::device);
    isPageOfFew = isPageOfFew || its->end - its->begin <= fewBytes;
  }
  if (!isPageOfFew) return;
  for (auto& [begin, its] : all())
    if (its.end - begin <= fewBytes) its.goes(begin, its.end, Holder::device);
}

}  // namespace simt
