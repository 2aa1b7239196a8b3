// The executor as a device: always there, and it is the CPU.
#include "device.h"

bool deviceAvailable() { return true; }

unsigned multiprocessors() { return simt::settings().multiprocessors; }

Machine selectDevice(int, const std::string&) { return describeCpu(); }
