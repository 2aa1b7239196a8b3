#include "base/machine.h"

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

bool gpuPresent() {
  std::error_code ignored;
  return std::filesystem::exists("/dev/nvidia0", ignored);
}
