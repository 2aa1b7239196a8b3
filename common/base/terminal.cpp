#include "base/terminal.h"

#include <sys/ioctl.h>
#include <unistd.h>

size_t terminalColumns(int descriptor, size_t otherwise) {
  winsize size{};
  const bool known = ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col > 1;
  return known ? size.ws_col : otherwise;
}
