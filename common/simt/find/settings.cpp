#include "simt/find/settings.h"

#include <utility>

namespace simt {

static Settings currentSettings;

const Settings& settings() { return currentSettings; }

WithSettings::WithSettings(const Settings& settings)
    : before_(std::exchange(currentSettings, settings)) {}
WithSettings::~WithSettings() { currentSettings = before_; }

}  // namespace simt
