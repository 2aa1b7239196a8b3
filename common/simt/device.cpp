// The executor as a device: always there, and it is the CPU.
#include "device.h"

bool deviceAvailable() { return true; }

unsigned multiprocessors() { return 4; }

Machine selectDevice(int, const std::string&) { return describeCpu(); }
