#include "simt/paths/merged_requests.h"

#include <algorithm>
#include <bit>
#include <span>

#include "simt/memory/arrays.h"
#include "simt/memory/element_alignment.h"

namespace simt {
namespace {

uint64_t firstAccess(const Request& request) {
  return request.accesses[std::countr_zero(request.lanes)];
}

bool isShared(const Request& request) {
  return sharedRange().contains(addressOf(firstAccess(request)));
}

// Where a request's addresses lie within their pieces of so many bytes; the same for all lanes,
// else ~0.
uintptr_t offsetIn(const Request& request, uintptr_t bytes) {
  const uintptr_t offset = addressOf(firstAccess(request)) % bytes;
  for (uint32_t left = request.lanes; left != 0; left &= left - 1)
    if (addressOf(request.accesses[std::countr_zero(left)]) % bytes != offset) return ~uintptr_t(0);
  return offset;
}

// Of how many bytes the aligned pieces of memory are in which the compiler can merge.
uintptr_t pieceOf(const Request& request) {
  if (request.kind == Access::atomic) return 0;
  const uintptr_t address = addressOf(firstAccess(request));
  const uintptr_t piece = std::min<uintptr_t>(widestAccess, elementAlignment(address));
  return piece > 1 && offsetIn(request, piece) != ~uintptr_t(0) ? piece : 0;
}

bool inSamePieces(const Request& a, const Request& b, uintptr_t bytes) {
  if (a.lanes != b.lanes) return false;
  for (uint32_t left = a.lanes; left != 0; left &= left - 1) {
    const int lane = std::countr_zero(left);
    if (addressOf(a.accesses[lane]) / bytes != addressOf(b.accesses[lane]) / bytes) return false;
  }
  return true;
}

struct Part {
  KeptRequest* kept;
  uintptr_t offset;  // in the object
};

// The parts of the object that this request is of, in the order of the program.
std::vector<Part> partsAround(std::span<KeptRequest> requests, uintptr_t bytes) {
  const Request& first = requests[0].request;
  const uint32_t size = sizeOf(firstAccess(first));
  std::vector<Part> parts;
  for (KeptRequest& kept : requests) {
    const Request& r = kept.request;
    if (r.lanes == 0) continue;  // merged already
    const bool alike =
        r.kind == first.kind && sizeOf(firstAccess(r)) == size && inSamePieces(r, first, bytes);
    const uintptr_t offset = alike ? offsetIn(r, bytes) : ~uintptr_t(0);
    if (offset != ~uintptr_t(0)) {
      parts.push_back({&kept, offset});
      continue;
    }
    const bool both = r.kind == Access::load && first.kind == Access::load;
    if (!both && isShared(r) == isShared(first)) break;
  }
  return parts;
}

// Of parts sorted by offset, how many from the first on become one access, and of how many bytes.
struct Width {
  size_t parts = 1;
  uintptr_t bytes = 0;
};
Width widthOf(std::span<const Part> parts, uintptr_t object, bool isLoad, uint32_t size) {
  const uintptr_t begin = parts[0].offset;
  const uintptr_t most = begin == 0 ? object : begin & (~begin + 1);
  Width best{1, size};
  uintptr_t covered = begin + size;
  for (size_t i = 1; i < parts.size() && parts[i].offset + size <= begin + most; ++i) {
    if (parts[i].offset > covered) break;
    covered = std::max(covered, parts[i].offset + size);
    const uintptr_t bytes = std::bit_ceil(covered - begin);
    if (isLoad || bytes == covered - begin) best = {i + 1, bytes};
  }
  return best;
}

void emitMerged(std::span<const Part> parts, uintptr_t bytes,
                const std::function<void(const Request&)>& emit) {
  KeptRequest merged = *parts[0].kept;
  for (uint32_t left = merged.request.lanes; left != 0; left &= left - 1) {
    const int lane = std::countr_zero(left);
    merged.accesses[lane] = packAccess(addressOf(merged.accesses[lane]), bytes);
    for (const Part& part : parts.subspan(1)) {
      const uintptr_t bits = (part.offset - parts[0].offset) * 8;
      if (bits > 0 && bits < 64) merged.values[lane] |= part.kept->values[lane] << bits;
    }
  }
  merged.request.accesses = merged.accesses;
  if (merged.request.values) merged.request.values = merged.values;
  emit(merged.request);
  for (const Part& part : parts) part.kept->request.lanes = 0;
}

}  // namespace

bool maybeOneObject(const Request& first, const Request& second) {
  const uint64_t a = firstAccess(first), b = firstAccess(second);
  return first.kind == second.kind && first.kind != Access::atomic && a != b &&
         (addressOf(a) ^ addressOf(b)) < widestAccess && sizeOf(a) < widestAccess &&
         sizeOf(a) == sizeOf(b) && elementAlignment(addressOf(a)) > sizeOf(a);
}

void mergeRequests(std::vector<KeptRequest>& requests,
                   const std::function<void(const Request&)>& emit) {
  for (KeptRequest& kept : requests) kept.request.accesses = kept.accesses;
  for (size_t i = 0; i < requests.size(); ++i) {
    const Request request = requests[i].request;
    if (request.lanes == 0) continue;
    const uint32_t size = sizeOf(firstAccess(request));
    const uintptr_t object = pieceOf(request);
    if (object <= size) {
      emit(request);
      continue;
    }
    std::vector<Part> parts = partsAround(std::span(requests).subspan(i), object);
    std::ranges::stable_sort(parts, {}, &Part::offset);
    for (std::span<const Part> left = parts; !left.empty();) {
      const Width width = widthOf(left, object, request.kind == Access::load, size);
      if (width.parts > 1)
        emitMerged(left.first(width.parts), width.bytes, emit);
      else if (left[0].kept == &requests[i])
        emit(request);
      left = left.subspan(width.parts);
    }
    requests[i].request.lanes = 0;
  }
  requests.clear();
}

}  // namespace simt
