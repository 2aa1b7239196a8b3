// For libraries whose algorithms run on the host here, thrust and the device-wide ones of CUB:
// memory that both sides use. Which words such an algorithm writes, nobody sees.
#pragma once

#include <cstddef>

namespace simt {

// From now on the program's device memory is open to the host and counts as written; the report
// says that the library did that.
bool shareDeviceMemory(const char* library);
// Memory for both sides. In a kernel, as malloc() there; throws std::bad_alloc where there is none.
void* allocateShared(size_t bytes);
void freeShared(void* memory);

}  // namespace simt
