// Copies and fills, of one to three dimensions, and those of __device__ variables.
#include <cstring>

#include "simt/run/executor.h"
#include "simtcc/runtime/managed_pages.h"
#include "simtcc/runtime/runtime_streams.h"
#include "simtcc/runtime/sizes.h"

namespace simt {
namespace {

uintptr_t number(const void* pointer) { return reinterpret_cast<uintptr_t>(pointer); }

// Slices of rows in memory, as a copy or a fill takes them.
struct Region {
  void* memory;
  size_t pitch, rowsOfSlice = 1;
  cudaPos at = {0, 0, 0};

  Size offset() const { return (Size(at.z) * Size(rowsOfSlice) + Size(at.y)) * pitch + Size(at.x); }
  // From the memory's begin to the end of the last row.
  Size reach(const cudaExtent& e) const {
    return offset() + (Size(e.depth - 1) * Size(rowsOfSlice) + Size(e.height - 1)) * pitch +
           Size(e.width);
  }
  char* row(size_t y, size_t z) const {
    return static_cast<char*>(memory) + offset() + (z * rowsOfSlice + y) * pitch;
  }
};

// Whether a copy or fill may touch these bytes on the side that it names: 'd'evice or 'h'ost.
cudaError_t checkSide(const void* pointer, Size bytes, char side, const char* call) {
  const RuntimeLock locked;
  if (const cudaError_t e = brokenDevice()) return e;
  const DeviceMemory* memory = deviceMemoryAt(pointer);
  if (!pointer || Size(number(pointer)) + bytes == SIZE_MAX)
    return invalid(std::string(call) +
                   (pointer ? " of more than any memory has" : " of a null pointer"));
  if (side == 'd' && !memory)
    return invalid(std::string(call) + " of a pointer that is not the device's");
  if (side == 'h' && memory && memory->type == cudaMemoryTypeDevice)
    return invalid(std::string(call) + " of " + memory->name +
                   ", an array of the device, as host memory");
  if (memory && bytes > memory->end - number(pointer))
    return invalid(std::string(call) + " of " + std::to_string(bytes) + " bytes, but " +
                   memory->name + " has " + std::to_string(memory->end - number(pointer)));
  return cudaSuccess;
}

cudaError_t checkCopy(const void* to, Size toBytes, const void* from, Size fromBytes,
                      cudaMemcpyKind kind, const char* call) {
  if (kind < cudaMemcpyHostToHost || kind > cudaMemcpyDefault)
    return failed(cudaErrorInvalidMemcpyDirection, call);
  const char sides[][3] = {"hh", "hd", "dh", "dd", "??"};  // from, to
  if (const cudaError_t e = checkSide(from, fromBytes, sides[kind][0], call)) return e;
  return checkSide(to, toBytes, sides[kind][1], call);
}

void copy(void* to, const void* from, size_t bytes) {
  std::memmove(to, from, bytes);
  markWritten(to, bytes);
  managedGoes(to, bytes, true);
}

bool isEmpty(const cudaExtent& e) { return e.width == 0 || e.height == 0 || e.depth == 0; }

// All of it is checked before any of it is done.
cudaError_t copyRegion(const Region& to, const Region& from, const cudaExtent& extent,
                       cudaMemcpyKind kind, const char* call) {
  const RuntimeLock locked;
  if (extent.width > to.pitch || extent.width > from.pitch)
    return failed(cudaErrorInvalidPitchValue, std::string(call) + " of rows wider than the pitch");
  if (isEmpty(extent)) return cudaSuccess;
  if (const cudaError_t e =
          checkCopy(to.memory, to.reach(extent), from.memory, from.reach(extent), kind, call))
    return e;
  for (size_t z = 0; z < extent.depth; ++z)
    for (size_t y = 0; y < extent.height; ++y) copy(to.row(y, z), from.row(y, z), extent.width);
  return cudaSuccess;
}

cudaError_t fillRegion(const Region& to, int value, const cudaExtent& extent, const char* call) {
  const RuntimeLock locked;
  if (isEmpty(extent)) return cudaSuccess;
  if (extent.width > to.pitch && (extent.height > 1 || extent.depth > 1))
    return invalid(std::string(call) + " of rows wider than the pitch");
  if (const cudaError_t e = checkSide(to.memory, to.reach(extent), 'd', call)) return e;
  for (size_t z = 0; z < extent.depth; ++z)
    for (size_t y = 0; y < extent.height; ++y) {
      std::memset(to.row(y, z), value, extent.width);
      markWritten(to.row(y, z), extent.width);
      managedGoes(to.row(y, z), extent.width, true);
    }
  return cudaSuccess;
}

// The copy's other side is the host's or the device's, as its kind says.
cudaError_t checkSymbol(const void* symbol, size_t size, Size reach, const char* call) {
  if (!deviceMemoryAt(symbol))
    return failed(cudaErrorInvalidSymbol, std::string(call) + " of a variable of the host");
  if (reach > size) return invalid(std::string(call) + " of more bytes than the variable has");
  return cudaSuccess;
}

}  // namespace

cudaError_t copyToSymbol(void* symbol, size_t size, size_t offset, const void* from, size_t bytes,
                         cudaMemcpyKind kind) {
  const RuntimeLock locked;
  const char* const call = "cudaMemcpyToSymbol";
  if (const cudaError_t e = checkSymbol(symbol, size, Size(offset) + Size(bytes), call)) return e;
  if (kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyHostToHost)
    return failed(cudaErrorInvalidMemcpyDirection, call);
  if (bytes == 0) return cudaSuccess;
  char* const place = static_cast<char*>(symbol) + offset;
  if (const cudaError_t e = checkCopy(place, bytes, from, bytes, kind, call)) return e;
  copy(place, from, bytes);
  return cudaSuccess;
}
cudaError_t copyFromSymbol(void* to, const void* symbol, size_t size, size_t offset, size_t bytes,
                           cudaMemcpyKind kind) {
  const RuntimeLock locked;
  const char* const call = "cudaMemcpyFromSymbol";
  if (const cudaError_t e = checkSymbol(symbol, size, Size(offset) + Size(bytes), call)) return e;
  if (kind == cudaMemcpyHostToDevice || kind == cudaMemcpyHostToHost)
    return failed(cudaErrorInvalidMemcpyDirection, call);
  if (bytes == 0) return cudaSuccess;
  const char* const place = static_cast<const char*>(symbol) + offset;
  if (const cudaError_t e = checkCopy(to, bytes, place, bytes, kind, call)) return e;
  copy(to, place, bytes);
  return cudaSuccess;
}
cudaError_t addressOfSymbol(void** address, const void* symbol) {
  if (!address) return invalid("cudaGetSymbolAddress without a place for it");
  if (!deviceMemoryAt(symbol))
    return failed(cudaErrorInvalidSymbol, "cudaGetSymbolAddress of a variable of the host");
  *address = const_cast<void*>(symbol);
  return cudaSuccess;
}
cudaError_t sizeOfSymbol(size_t* size, const void* symbol) {
  if (!size) return invalid("cudaGetSymbolSize without a place for it");
  const DeviceMemory* memory = deviceMemoryAt(symbol);
  if (!memory) return failed(cudaErrorInvalidSymbol, "cudaGetSymbolSize of a variable of the host");
  *size = memory->end - memory->begin;
  return cudaSuccess;
}

cudaError_t copyNow(void* to, const void* from, size_t bytes, cudaMemcpyKind kind) {
  const RuntimeLock locked;
  if (bytes == 0) return cudaSuccess;
  if (const cudaError_t e = checkCopy(to, bytes, from, bytes, kind, "cudaMemcpy")) return e;
  copy(to, from, bytes);
  return cudaSuccess;
}
cudaError_t fillNow(void* array, unsigned value, size_t elementSize, size_t count) {
  const RuntimeLock locked;
  if (elementSize == 1) return cudaMemset(array, int(value), count);
  const Size bytes = Size(count) * Size(elementSize);
  if (const cudaError_t e = checkSide(array, bytes, 'd', "a fill")) return e;
  for (size_t i = 0; i < count; ++i)
    std::memcpy(static_cast<char*>(array) + i * elementSize, &value, elementSize);
  markWritten(array, bytes);
  return cudaSuccess;
}
cudaError_t copyNow3D(const cudaMemcpy3DParms* given) {
  if (!given || (!given->srcArray && !given->srcPtr.ptr) ||
      (!given->dstArray && !given->dstPtr.ptr))
    return invalid("cudaMemcpy3D without a pointer or array on each side");
  cudaMemcpy3DParms c = *given;
  if (const cudaError_t e = resolveArrays(c)) return e;
  return copyRegion({c.dstPtr.ptr, c.dstPtr.pitch, c.dstPtr.ysize, c.dstPos},
                    {c.srcPtr.ptr, c.srcPtr.pitch, c.srcPtr.ysize, c.srcPos}, c.extent, c.kind,
                    "cudaMemcpy3D");
}

}  // namespace simt

using namespace simt;

cudaError_t cudaMemcpy(void* to, const void* from, size_t bytes, cudaMemcpyKind kind) {
  if (const cudaError_t e = checkImplicit("cudaMemcpy")) return e;
  return copyNow(to, from, bytes, kind);
}
cudaError_t cudaMemcpy2D(void* to, size_t toPitch, const void* from, size_t fromPitch, size_t width,
                         size_t height, cudaMemcpyKind kind) {
  return copyRegion({to, toPitch}, {const_cast<void*>(from), fromPitch}, {width, height, 1}, kind,
                    "cudaMemcpy2D");
}
cudaError_t cudaMemcpy3D(const cudaMemcpy3DParms* c) { return copyNow3D(c); }
cudaError_t cudaMemset(void* array, int value, size_t bytes) {
  return fillRegion({array, bytes}, value, {bytes, 1, 1}, "cudaMemset");
}
cudaError_t cudaMemset2D(void* array, size_t pitch, int value, size_t width, size_t height) {
  return fillRegion({array, pitch}, value, {width, height, 1}, "cudaMemset2D");
}
cudaError_t cudaMemset3D(cudaPitchedPtr array, int value, cudaExtent extent) {
  return fillRegion({array.ptr, array.pitch, array.ysize}, value, extent, "cudaMemset3D");
}
