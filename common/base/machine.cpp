#include "base/machine.h"

#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <thread>

Machine describeCpu() {
  Machine machine;
  machine.name = "CPU";
  machine.cores = int(std::thread::hardware_concurrency());
  machine.freeBytes = size_t(sysconf(_SC_PHYS_PAGES)) * size_t(sysconf(_SC_PAGE_SIZE));
  std::string line;
  for (std::ifstream file("/proc/cpuinfo"); std::getline(file, line);)
    if (line.starts_with("model name")) {
      machine.name = machine.cpu = line.substr(line.find(':') + 2);
      break;
    }
  for (std::ifstream file("/proc/meminfo"); std::getline(file, line);)
    if (line.starts_with("MemAvailable:"))
      machine.freeBytes = std::stoull(line.substr(line.find(':') + 1)) * 1024;
  machine.hostFreeBytes = machine.freeBytes;
  return machine;
}

// FNV-1a, of which half is left.
std::string identityOf(std::string_view bytes) {
  uint64_t hash = 0xcbf29ce484222325;
  for (const char byte : bytes) hash = (hash ^ uint8_t(byte)) * 0x100000001b3;
  return fmt::format("{:08x}", uint32_t(hash >> 32 ^ hash));
}

bool gpuPresent() {
  std::error_code ignored;
  return std::filesystem::exists("/dev/nvidia0", ignored);
}
