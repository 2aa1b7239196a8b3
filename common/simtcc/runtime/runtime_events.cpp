// Events, and the time between two of them.
#include <chrono>
#include <optional>

#include "simtcc/runtime/program_observer.h"
#include "simtcc/runtime/runtime_streams.h"

using simt::checkEvent;
using simt::checkStream;
using simt::failed;
using simt::invalid;

cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned flags) {
  constexpr unsigned known = cudaEventBlockingSync | cudaEventDisableTiming | cudaEventInterprocess;
  if (!event || (flags & ~known) != 0)
    return invalid("cudaEventCreate without a place for the event, or with unknown flags");
  *event = new CUevent_st((flags & cudaEventDisableTiming) == 0);
  return cudaSuccess;
}
cudaError_t cudaEventDestroy(cudaEvent_t event) {
  if (const cudaError_t e = checkEvent(event, __func__)) return e;
  delete event;
  return cudaSuccess;
}
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  if (const cudaError_t e = checkEvent(event, __func__)) return e;
  if (const cudaError_t e = checkStream(stream, __func__)) return e;
  if (simt::recordCaptured(event, stream)) return cudaSuccess;
  event->recorded = true;
  event->time = std::chrono::steady_clock::now();
  if (simt::ProgramObserver* const observer = simt::programObserver())
    event->launches = observer->launches();
  return cudaSuccess;
}
cudaError_t cudaEventSynchronize(cudaEvent_t event) {
  return checkEvent(event, "cudaEventSynchronize");
}
cudaError_t cudaEventQuery(cudaEvent_t event) { return cudaEventSynchronize(event); }
cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t start, cudaEvent_t end) {
  if (!milliseconds) return invalid(__func__);
  for (const cudaEvent_t event : {start, end})
    if (const cudaError_t e = checkEvent(event, __func__)) return e;
  if (!start->recorded || !end->recorded || !start->timed || !end->timed)
    return failed(cudaErrorInvalidResourceHandle,
                  "cudaEventElapsedTime of events that are not recorded or not timed");
  const simt::RuntimeLock locked;
  simt::ProgramObserver* const observer = simt::programObserver();
  const std::optional<double> estimated =
      observer ? observer->estimatedMs(start->launches, end->launches) : std::nullopt;
  *milliseconds = estimated
                      ? float(*estimated)
                      : std::chrono::duration<float, std::milli>(end->time - start->time).count();
  simt::reportEventTimes(estimated.has_value());
  return cudaSuccess;
}
