# The libraries: the installed ones first, else fetched and compared with a pinned hash.
include(FetchContent)

# workshop_library(<variable> <package> <url> <sha256> <debian packages> <brew packages> [find args])
# sets <variable> when the package can be used, and says what to install when it cannot.
macro(workshop_library variable package url hash debian brew)
  find_package(${package} QUIET ${ARGN})
  set(${variable} ${${package}_FOUND})
  string(TOUPPER ${package} upper)
  if(NOT ${variable})
    string(REGEX MATCH "[.]tar[.].z$" extension ${url})
    set(archive ${CMAKE_BINARY_DIR}/archives/${package}${extension})
    set(actual "")
    if(NOT DEFINED FETCHCONTENT_SOURCE_DIR_${upper})
      if(NOT EXISTS ${archive})
        message(STATUS "${package} is not installed (Debian and Ubuntu: ${debian}, macOS: brew install "
                       "${brew}; ./common/setup.sh does it): fetching it")
        file(DOWNLOAD ${url} ${archive} STATUS status INACTIVITY_TIMEOUT 30)
      endif()
      file(SHA256 ${archive} actual)
      if(NOT actual STREQUAL ${hash})
        file(REMOVE ${archive})
      endif()
    endif()
    if("${package}" STREQUAL Boost)
      enable_language(ASM)
    endif()
    if(DEFINED FETCHCONTENT_SOURCE_DIR_${upper} OR actual STREQUAL ${hash})
      FetchContent_Declare(${package} URL ${archive} URL_HASH SHA256=${hash} DOWNLOAD_EXTRACT_TIMESTAMP OFF)
      FetchContent_MakeAvailable(${package})
      set(${variable} ON)
    else()
      set(${variable} OFF)
    endif()
  endif()
endmacro()

set(INSTALL_GTEST OFF)
workshop_library(WORKSHOP_HAVE_CLI11 CLI11
  https://github.com/CLIUtils/CLI11/archive/refs/tags/v2.4.2.tar.gz
  f2d893a65c3b1324c50d4e682c0cdc021dd0477ae2c048544f39eed6654b699a libcli11-dev cli11)
workshop_library(WORKSHOP_HAVE_FMT fmt
  https://github.com/fmtlib/fmt/archive/refs/tags/9.1.0.tar.gz
  5dea48d1fcddc3ec571ce2058e13910a0d4a6bab4cc09a809d8b1dd1c88ae6f2 libfmt-dev fmt)
workshop_library(WORKSHOP_HAVE_JSON nlohmann_json
  https://github.com/nlohmann/json/releases/download/v3.11.3/json.tar.xz
  d6c65aca6b1ed68e7a182f4757257b107ae403032760ed6ef121c9d55e81757d nlohmann-json3-dev nlohmann-json)
if(NOT WORKSHOP_HAVE_CLI11 OR NOT WORKSHOP_HAVE_FMT OR NOT WORKSHOP_HAVE_JSON)
  message(FATAL_ERROR "CLI11, fmt and nlohmann-json are needed, and what is not installed could not "
    "be fetched. Install them: ./common/setup.sh, or on Debian and Ubuntu: apt-get install "
    "libcli11-dev libfmt-dev nlohmann-json3-dev")
endif()
workshop_library(WORKSHOP_HAVE_GTEST GTest
  https://github.com/google/googletest/archive/refs/tags/v1.14.0.tar.gz
  8ad598c73ad796e0d8280b082cebd82a630d73e73cd3c70057938a6501bba5d7 libgtest-dev googletest)
if(NOT WORKSHOP_HAVE_GTEST)
  message(WARNING "No GoogleTest, and it could not be fetched: no tests are built. Install it: "
    "./common/setup.sh, or on Debian and Ubuntu: apt-get install libgtest-dev")
endif()
set(BOOST_INCLUDE_LIBRARIES context)
workshop_library(WORKSHOP_HAVE_EXECUTOR Boost
  https://github.com/boostorg/boost/releases/download/boost-1.84.0/boost-1.84.0.tar.xz
  2e64e5d79a738d0fa6fb546c6e5c2bd28f88d268a2a080546f74e5ff98f29d0e libboost-context-dev boost
  1.71 COMPONENTS context)
if(NOT WORKSHOP_HAVE_EXECUTOR)
  message(WARNING "No Boost.Context, and it could not be fetched: no executor, so only lesson 01, "
    "compare and, with the CUDA Toolkit, the gpu backend are built. Install it: ./common/setup.sh, or "
    "on Debian and Ubuntu: apt-get install libboost-context-dev")
endif()
find_package(OpenMP QUIET COMPONENTS CXX)
if(NOT OpenMP_CXX_FOUND)
  message(STATUS "No OpenMP: lesson 01 uses one core. (Debian and Ubuntu with clang: libomp-dev)")
endif()
