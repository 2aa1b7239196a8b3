#include "estimate/gpu_code/memory.h"

#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>

#include "estimate/gpu_code/ptx.h"

namespace estimate::gpu_code {

// The system copies it, as that says where there is nothing.
uint8_t* Memory::page(uint64_t number) {
  std::unique_ptr<uint8_t[]>& page = pages_[number];
  if (page) return page.get();
  auto bytes = std::make_unique<uint8_t[]>(pageBytes);
  const uint64_t address = number * pageBytes;
  if (address >= variablesBase && address - variablesBase < windowBytes) {
    variables_(address, bytes.get());
  } else {
    iovec to{bytes.get(), pageBytes}, from{reinterpret_cast<void*>(address), pageBytes};
    if (process_vm_readv(getpid(), &to, 1, &from, 1, 0) != ssize_t(pageBytes)) {
      pages_.erase(number);
      throw Unsupported("it reaches memory that is not there");
    }
  }
  page = std::move(bytes);
  return page.get();
}

void Memory::read(uint64_t address, void* to, size_t bytes) {
  for (size_t done = 0, part; done < bytes; done += part) {
    part = std::min(bytes - done, pageBytes - (address + done) % pageBytes);
    std::memcpy(static_cast<char*>(to) + done, at(address + done), part);
  }
}

void Memory::write(uint64_t address, const void* from, size_t bytes) {
  for (size_t done = 0, part; done < bytes; done += part) {
    part = std::min(bytes - done, pageBytes - (address + done) % pageBytes);
    std::memcpy(at(address + done), static_cast<const char*>(from) + done, part);
  }
}

}  // namespace estimate::gpu_code
