#include "base/terminal.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>

#include "base/unicode.h"

size_t terminalColumns(int descriptor, size_t otherwise) {
  winsize size{};
  const bool known = ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col > 1;
  return known ? size.ws_col : otherwise;
}

size_t tableColumns() { return std::max<size_t>(40, terminalColumns(STDOUT_FILENO, 100)); }

std::string sentence(const std::string& text) {
  if (!isatty(STDOUT_FILENO)) return text + '\n';
  std::string lines;
  for (const std::string& line : brokenToLines(text, tableColumns())) lines += line + '\n';
  return lines;
}
