#include "estimate/gpu_code/of_executor.h"

#include "simt/memory/arrays.h"
#include "simt/memory/dynamic_shared.h"
#include "simt/run/kernel_call.h"

namespace estimate::gpu_code {

Asked askedOf(const simt::LaunchCall& call, const std::string& name) {
  Asked asked;
  asked.name = name;
  asked.kernel = call.kernel;
  asked.areWords = call.call == simt::callWithWords;
  asked.arguments = call.arguments;
  asked.grid = {call.grid.x, call.grid.y, call.grid.z};
  asked.block = {call.block.x, call.block.y, call.block.z};
  asked.cooperative = call.cooperative;
  asked.multiprocessors = simt::settings().multiprocessors;
  const simt::DynamicShared shared = simt::dynamicSharedNow();
  asked.dynamicShared = uint32_t(shared.end - shared.begin);
  for (const simt::Array* array : simt::allArrays())
    asked.arrays.push_back({array->begin, array->end});
  return asked;
}

}  // namespace estimate::gpu_code
