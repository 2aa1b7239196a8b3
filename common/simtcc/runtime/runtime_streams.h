// What a stream and an event are, and what a stream that is being captured collects.
#pragma once

#include <chrono>
#include <vector>

#include "simtcc/runtime/handles.h"
#include "simtcc/runtime/runtime.h"

namespace simt {

// A capture: from cudaStreamBeginCapture() of one stream to its end. Other streams join it when
// they wait for an event that it has recorded.
struct Capture {
  CUstream_st* origin;
  CUgraph_st* graph;
  bool relaxed;                       // other calls that wait for the device are allowed meanwhile
  std::vector<CUstream_st*> streams;  // that are captured into it
  bool broken = false;
};

}  // namespace simt

struct CUstream_st : simt::Handle<CUstream_st> {
  CUstream_st(unsigned flags_, int priority_) : flags(flags_), priority(priority_) {}
  unsigned flags;
  int priority;
  simt::Capture* capture = nullptr;
  std::vector<CUgraphNode_st*> last{};  // what comes next into the captured stream waits for these
};
struct CUevent_st : simt::Handle<CUevent_st> {
  explicit CUevent_st(bool timed_) : timed(timed_) {}
  bool recorded = false;
  bool timed;
  std::chrono::steady_clock::time_point time{};
  uint64_t launches = 0;             // that had begun before it
  simt::Capture* capture = nullptr;  // recorded in a captured stream, behind these nodes
  std::vector<CUgraphNode_st*> behind{};
};

namespace simt {

// Null, cudaStreamLegacy and cudaStreamPerThread are streams that nobody made.
inline bool isMade(cudaStream_t stream) { return CUstream_st::isAlive(stream); }
inline bool isStream(cudaStream_t stream) {
  return !stream || stream == cudaStreamLegacy || stream == cudaStreamPerThread || isMade(stream);
}
inline cudaError_t checkStream(cudaStream_t stream, const std::string& call) {
  if (const cudaError_t e = brokenDevice()) return e;
  if (isStream(stream)) return cudaSuccess;
  return failed(cudaErrorInvalidResourceHandle, call + " with a stream that does not exist");
}
inline cudaError_t checkEvent(cudaEvent_t event, const std::string& call) {
  if (CUevent_st::isAlive(event)) return cudaSuccess;
  return failed(cudaErrorInvalidResourceHandle, call + " of an event that does not exist");
}
// An event that is recorded, and waited for, in a captured stream: whether that was the case.
bool recordCaptured(cudaEvent_t event, cudaStream_t stream);
bool waitCaptured(cudaStream_t stream, cudaEvent_t event);
// For a stream that is destroyed: the capture that it is in is broken, and has ended where it is
// the stream that it began with.
void leaveCapture(CUstream_st& stream);
// For calls that a capture forbids, because they wait for the stream (null: for the device).
cudaError_t checkWaiting(cudaStream_t stream, const char* call);
// The same for calls that do something in the legacy stream, at once.
cudaError_t checkImplicit(const char* call);

}  // namespace simt
