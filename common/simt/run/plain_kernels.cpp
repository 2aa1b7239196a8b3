#include "simt/run/plain_kernels.h"

#include <algorithm>

#if defined(__linux__) && defined(__x86_64__)
// What simtcc has made: the linker knows where the section begins and ends.
namespace simt {
struct WithPlainCode {
  const void *kernel, *plain;
};
}  // namespace simt
extern "C" {
extern const simt::WithPlainCode __start_simt_plain[] __attribute__((weak));
extern const simt::WithPlainCode __stop_simt_plain[] __attribute__((weak));
}

namespace simt {

PlainKernel::PlainKernel(const KernelCall& call) : call_(call) {
  if (!call.kernel || call.argumentBytes < sizeof(void*)) return;
  // KernelOfWords and BoundKernel begin with the kernel's address.
  auto** const first = static_cast<const void**>(call.arguments);
  const auto* const found =
      std::find_if(__start_simt_plain, __stop_simt_plain,
                   [&](const WithPlainCode& entry) { return entry.kernel == call.kernel; });
  if (found == __stop_simt_plain || *first != call.kernel) return;
  called_ = first;
  *called_ = found->plain;
}
PlainKernel::~PlainKernel() {
  if (called_) *called_ = call_.kernel;
}

}  // namespace simt
#else
namespace simt {
PlainKernel::PlainKernel(const KernelCall& call) : call_(call) {}
PlainKernel::~PlainKernel() {}
}  // namespace simt
#endif
