# What every CMakeLists.txt of this repository includes: it finds what is needed once, and gives
# add_lesson(), add_program() and add_workshop_test(). Works from the top and from a lesson folder.
include_guard(GLOBAL)
if(POLICY CMP0167)
  cmake_policy(SET CMP0167 NEW)  # Boost is found by its own configuration
endif()

set(WORKSHOP_DIR ${CMAKE_CURRENT_LIST_DIR}/..)
cmake_path(NORMAL_PATH WORKSHOP_DIR)

if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Debug, Release, RelWithDebInfo or MinSizeRel" FORCE)
endif()
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

# ---- The gpu flavour: where a GPU and a CUDA compiler are found, or when asked for.
find_program(NVIDIA_SMI nvidia-smi HINTS /usr/local/nvidia/bin)
set(WORKSHOP_GPU_PRESENT OFF)
if(NVIDIA_SMI)
  execute_process(COMMAND ${NVIDIA_SMI} -L OUTPUT_VARIABLE gpus ERROR_QUIET)
  if(gpus MATCHES "GPU 0")
    set(WORKSHOP_GPU_PRESENT ON)
  endif()
endif()
option(WORKSHOP_GPU "Build the gpu flavour of the programs" ${WORKSHOP_GPU_PRESENT})
set(WORKSHOP_HAVE_CUDA OFF)
if(WORKSHOP_GPU)
  if(IS_ABSOLUTE "${CMAKE_CUDA_COMPILER}" AND NOT EXISTS "${CMAKE_CUDA_COMPILER}")
    message(FATAL_ERROR "CMAKE_CUDA_COMPILER: ${CMAKE_CUDA_COMPILER} does not exist")
  endif()
  if(NOT CMAKE_CUDA_COMPILER)
    find_program(WORKSHOP_NVCC nvcc HINTS /usr/local/cuda/bin /opt/cuda/bin)
    if(WORKSHOP_NVCC)
      set(ENV{CUDACXX} ${WORKSHOP_NVCC})
    endif()
  endif()
  if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES)
    if(WORKSHOP_GPU_PRESENT)
      set(CMAKE_CUDA_ARCHITECTURES native)
    else()
      set(CMAKE_CUDA_ARCHITECTURES OFF)  # nvcc's own default: PTX that every supported GPU can run
    endif()
  endif()
  if(CMAKE_CUDA_HOST_COMPILER)
    set(ENV{CUDAHOSTCXX} ${CMAKE_CUDA_HOST_COMPILER})  # for the check below, which forgets it
  endif()
  include(CheckLanguage)
  check_language(CUDA)
  if(CMAKE_CUDA_COMPILER)
    enable_language(CUDA)
    if(NOT DEFINED CMAKE_CUDA20_STANDARD_COMPILE_OPTION)  # CMake 3.25 does not know it yet
      set(CMAKE_CUDA20_STANDARD_COMPILE_OPTION -std=c++20)
    endif()
    set(WORKSHOP_HAVE_CUDA ON)
  elseif(WORKSHOP_NVCC)
    message(WARNING "${WORKSHOP_NVCC} compiles nothing here, most often because it does not take this "
      "host compiler: only the cpu flavour is built. ${CMAKE_BINARY_DIR}/CMakeFiles has its error; "
      "another host compiler is chosen by -DCMAKE_CUDA_HOST_COMPILER=g++-12, say.")
  else()
    message(WARNING "No CUDA compiler (nvcc): only the cpu flavour is built. Install the CUDA Toolkit "
      "for the gpu flavour, or name its nvcc: -DCMAKE_CUDA_COMPILER=PATH.")
  endif()
endif()

# ---- Libraries: the installed ones first, else fetched and compared with a pinned hash.
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
workshop_library(WORKSHOP_HAVE_JSON nlohmann_json
  https://github.com/nlohmann/json/releases/download/v3.11.3/json.tar.xz
  d6c65aca6b1ed68e7a182f4757257b107ae403032760ed6ef121c9d55e81757d nlohmann-json3-dev nlohmann-json)
if(NOT WORKSHOP_HAVE_CLI11 OR NOT WORKSHOP_HAVE_JSON)
  message(FATAL_ERROR "CLI11 and nlohmann-json are needed, and what is not installed could not be "
    "fetched. Install them: ./common/setup.sh, or on Debian and Ubuntu: apt-get install libcli11-dev "
    "nlohmann-json3-dev")
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
    "compare and, with the CUDA Toolkit, the gpu flavour are built. Install it: ./common/setup.sh, or "
    "on Debian and Ubuntu: apt-get install libboost-context-dev")
endif()
find_package(OpenMP QUIET COMPONENTS CXX)
if(NOT OpenMP_CXX_FOUND)
  message(STATUS "No OpenMP: lesson 01 uses one core. (Debian and Ubuntu with clang: libomp-dev)")
endif()

# ---- Flags
add_library(workshop_warnings INTERFACE)
# -Wno-unknown-pragmas: "#pragma unroll" is nvcc's, and OpenMP may be missing. -Wrestrict: g++ 12 warns of its own std::string (GCC bug 105651).
# Deprecated declarations: newer clang warns of libstdc++ 12's own std::stable_sort.
target_compile_options(workshop_warnings INTERFACE
  $<$<COMPILE_LANGUAGE:CXX>:-Wall$<SEMICOLON>-Wextra$<SEMICOLON>-Wno-unknown-pragmas>
  $<$<AND:$<COMPILE_LANGUAGE:CXX>,$<CXX_COMPILER_ID:GNU>>:-Wno-restrict>
  $<$<AND:$<COMPILE_LANGUAGE:CXX>,$<CXX_COMPILER_ID:Clang>>:-Wno-deprecated-declarations>
  $<$<COMPILE_LANGUAGE:CUDA>:-Xcompiler=-Wall,-Wextra>)

set(WORKSHOP_SANITIZE "" CACHE STRING
  "Build host code with these sanitizers, such as address,undefined: no executor counts then")
set(WORKSHOP_KERNEL_OPTIMISATION -O2 CACHE STRING "Optimisation of kernels on the cpu backend")

# Kernels of the cpu flavour: the compiler reports every memory access and every basic block to the
# executor. What would merge, split or multiply accesses is off, and -g gives their source lines.
add_library(workshop_kernels INTERFACE)
if(WORKSHOP_SANITIZE)
  add_compile_options(
    $<$<COMPILE_LANGUAGE:CXX>:-fsanitize=${WORKSHOP_SANITIZE}>
    $<$<COMPILE_LANGUAGE:CXX>:-fno-sanitize-recover=all> $<$<COMPILE_LANGUAGE:CXX>:-g1>)
  add_link_options(-fsanitize=${WORKSHOP_SANITIZE})
  if(WORKSHOP_FUZZ)
    add_compile_options($<$<COMPILE_LANGUAGE:CXX>:-fsanitize=fuzzer-no-link>)
  endif()
else()
  target_compile_definitions(workshop_kernels INTERFACE SIMT_INSTRUMENTED)
  target_compile_options(workshop_kernels INTERFACE
    -g -gdwarf-4 $<IF:$<CONFIG:Debug>,-O0,${WORKSHOP_KERNEL_OPTIMISATION}>
    -fsanitize=thread -fno-optimize-sibling-calls
    -fno-tree-vectorize -fno-tree-slp-vectorize -fno-unroll-loops)
  if(CMAKE_CXX_COMPILER_ID MATCHES Clang)
    target_compile_options(workshop_kernels INTERFACE
      -fsanitize-coverage=bb,no-prune,trace-pc -fno-vectorize
      "SHELL:-mllvm -tsan-instrument-read-before-write=1")
  else()
    target_compile_options(workshop_kernels INTERFACE
      -fsanitize-coverage=trace-pc -fno-store-merging -Wno-tsan)
  endif()
endif()

add_subdirectory(${CMAKE_CURRENT_LIST_DIR} ${CMAKE_BINARY_DIR}/common)

include(GoogleTest)
enable_testing()

# add_program(<flavour> <name> <source>) builds build/<flavour>/<name> from a source that either
# compiler can compile. The one line that hides the suffix .cu from the host compiler:
function(add_program flavour name source)
  if(flavour STREQUAL cpu AND NOT WORKSHOP_HAVE_EXECUTOR)
    return()
  endif()
  set(target ${name}_${flavour})
  cmake_path(ABSOLUTE_PATH source NORMALIZE)
  if(flavour STREQUAL gpu)
    add_executable(${target} ${source})
  else()
    set(wrapper ${CMAKE_CURRENT_BINARY_DIR}/${name}.cpp)
    file(CONFIGURE OUTPUT ${wrapper} CONTENT "#include \"${source}\"\n" @ONLY)
    add_executable(${target} ${wrapper})
  endif()
  target_link_libraries(${target} PRIVATE workshop_${flavour})
  set_target_properties(${target} PROPERTIES
    OUTPUT_NAME ${name} RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/${flavour})
  if(NOT TARGET ${name})
    add_custom_target(${name})
  endif()
  add_dependencies(${name} ${target})
endfunction()

# The same for a GoogleTest source; its tests get the flavour as their label.
function(add_workshop_test flavour name source)
  if(NOT WORKSHOP_HAVE_GTEST OR (flavour STREQUAL cpu AND NOT WORKSHOP_HAVE_EXECUTOR))
    return()
  endif()
  add_program(${flavour} ${name} ${source})
  target_link_libraries(${name}_${flavour} PRIVATE GTest::gtest_main)
  set_target_properties(${name}_${flavour} PROPERTIES
    RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/${flavour}/tests)
  if(flavour STREQUAL cpu)
    if(NOT TARGET kernel_tests)
      add_custom_target(kernel_tests)
    endif()
    add_dependencies(kernel_tests ${name}_cpu)
  endif()
  gtest_discover_tests(${name}_${flavour} TEST_PREFIX ${flavour}. PROPERTIES LABELS ${flavour}
    DISCOVERY_TIMEOUT 60)
endfunction()

# A GoogleTest source of host code, without kernels.
function(add_host_test name source)
  if(NOT WORKSHOP_HAVE_GTEST)
    return()
  endif()
  add_executable(${name} ${source})
  target_link_libraries(${name} PRIVATE workshop nlohmann_json::nlohmann_json GTest::gtest_main)
  set_target_properties(${name} PROPERTIES
    RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/cpu/tests)
  gtest_discover_tests(${name} TEST_PREFIX cpu. PROPERTIES LABELS cpu DISCOVERY_TIMEOUT 60)
endfunction()

# Definitions for a target, where it is built.
function(define_for target)
  if(TARGET ${target})
    target_compile_definitions(${target} PRIVATE ${ARGN})
  endif()
endfunction()

# add_lesson(<stem>): this folder's main.cu and <stem>_test.cu, in both flavours.
function(add_lesson stem)
  cmake_path(GET CMAKE_CURRENT_SOURCE_DIR FILENAME name)
  add_program(cpu ${name} main.cu)
  add_workshop_test(cpu ${stem}_test ${stem}_test.cu)
  if(WORKSHOP_HAVE_CUDA)
    add_program(gpu ${name} main.cu)
    add_workshop_test(gpu ${stem}_test ${stem}_test.cu)
  endif()
endfunction()
