#include "simt/find/settings.h"

#include <utility>

namespace simt {

// Of the launches to come.
struct Asked {
  Settings settings;
  std::string kernelName;
};
static Asked& asked() {
  static auto& all = *new Asked;  // programs launch until their very end
  return all;
}

const Settings& settings() { return asked().settings; }

WithSettings::WithSettings(const Settings& settings)
    : before_(std::exchange(asked().settings, settings)) {}
WithSettings::~WithSettings() { asked().settings = before_; }

void setKernelName(const std::string& name) { asked().kernelName = name; }
const std::string& givenKernelName() { return asked().kernelName; }

}  // namespace simt
