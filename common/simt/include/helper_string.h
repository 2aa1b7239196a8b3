// What NVIDIA's samples call to read their flags, "-name" or "--name=value", for programs that came
// without it.
#pragma once

#include <strings.h>

#include <cstdlib>
#include <cstring>

// What stands behind "name" in a flag: "" or "=value". Null where no argument is that flag.
inline const char* simtFlag(int argc, const char** argv, const char* name) {
  const size_t length = std::strlen(name);
  for (int i = 1; i < argc; ++i) {
    const char* flag = argv[i];
    while (*flag == '-') ++flag;
    if (flag != argv[i] && strncasecmp(flag, name, length) == 0 &&
        (flag[length] == 0 || flag[length] == '='))
      return flag + length;
  }
  return nullptr;
}

inline bool checkCmdLineFlag(int argc, const char** argv, const char* name) {
  return simtFlag(argc, argv, name) != nullptr;
}
inline int getCmdLineArgumentInt(int argc, const char** argv, const char* name) {
  const char* const flag = simtFlag(argc, argv, name);
  return flag && *flag ? std::atoi(flag + 1) : 0;
}
inline float getCmdLineArgumentFloat(int argc, const char** argv, const char* name) {
  const char* const flag = simtFlag(argc, argv, name);
  return flag && *flag ? float(std::atof(flag + 1)) : 0.0f;
}
inline bool getCmdLineArgumentString(int argc, const char** argv, const char* name, char** value) {
  const char* const flag = simtFlag(argc, argv, name);
  *value = flag && *flag ? const_cast<char*>(flag + 1) : nullptr;
  return *value != nullptr;
}
