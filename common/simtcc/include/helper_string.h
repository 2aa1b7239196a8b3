// What NVIDIA's samples call to read their flags, "-name" or "--name=value", for programs that came
// without it.
#pragma once

#include <strings.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

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
// Where a sample's file is: here, or in data/ here or beside the program. To be freed, or null.
inline char* sdkFindFilePath(const char* name, const char* program) {
  std::string folder = program ? program : "";
  folder.erase(folder.find_last_of('/') == std::string::npos ? 0 : folder.find_last_of('/') + 1);
  for (const std::string& place : {std::string(), std::string("data/"), folder, folder + "data/"}) {
    const std::string path = place + name;
    if (std::FILE* const file = std::fopen(path.c_str(), "rb")) {
      std::fclose(file);
      return strdup(path.c_str());
    }
  }
  return nullptr;
}
