#include "multi_gpu/shared_library.h"

#include <dlfcn.h>

#include "base/errors.h"

SharedLibrary::SharedLibrary(const std::string& name, const std::string& install)
    : name_(name), handle_(dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL)) {
  if (!handle_) throw Error(exitNoDevice, name + " cannot be loaded: " + install);
}

void* SharedLibrary::addressOf(const char* function) const {
  void* const address = dlsym(handle_, function);
  if (!address)
    throw Error(exitNoDevice, name_ + " has no " + function + ": a newer version is needed");
  return address;
}
