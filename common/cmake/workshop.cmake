# What every CMakeLists.txt of this repository includes: it finds what is needed once, and gives
# add_lesson(), add_program() and the functions for tests. Works from the top and from a lesson
# folder.
include_guard(GLOBAL)
if(CMAKE_BINARY_DIR STREQUAL CMAKE_SOURCE_DIR)
  message(FATAL_ERROR "Build in a folder of its own: cmake --preset default, or cmake -B build. "
    "What was written here now can go: rm -r CMakeCache.txt CMakeFiles")
endif()
if(POLICY CMP0167)
  cmake_policy(SET CMP0167 NEW)  # Boost is found by its own configuration
endif()

cmake_path(SET WORKSHOP_DIR NORMALIZE ${CMAKE_CURRENT_LIST_DIR}/../..)
# Tools and the tests of common/ belong to the whole, not to a lesson that is built alone.
cmake_path(COMPARE "${CMAKE_SOURCE_DIR}/" EQUAL "${WORKSHOP_DIR}" WORKSHOP_WHOLE)

if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Debug, Release, RelWithDebInfo or MinSizeRel" FORCE)
endif()
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_OPTIMIZE_DEPENDENCIES ON)  # a library is compiled before those are that it is linked with

enable_testing()
include(${CMAKE_CURRENT_LIST_DIR}/gpu.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/libraries.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/gpu_code.cmake)
foreach(part host_code rooms programs tests lessons)
  include(${CMAKE_CURRENT_LIST_DIR}/${part}.cmake)
endforeach()
add_subdirectory(${WORKSHOP_DIR}/common ${CMAKE_BINARY_DIR}/common)
