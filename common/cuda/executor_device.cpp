// The executor as a device: always there, and it is the CPU.
#include "cuda/device.h"
#include "simt/run/executor.h"

bool deviceAvailable() { return true; }

unsigned multiprocessors() { return simt::settings().multiprocessors; }

unsigned memoryBusBits() { return 0; }

Machine selectDevice(int, const std::string&) { return describeCpu(); }

unsigned blocksThatFit(const void*, unsigned threads) { return 2048 / threads; }

bool compiledFor(const void*, int) { return true; }

void flushCache(const char*, size_t) {}

void hold() {}
void letGo() {}
