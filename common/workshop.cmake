# What every CMakeLists.txt of this repository includes: it finds what is needed once, and gives
# add_lesson(), add_program() and add_workshop_test(). Works from the top and from a lesson folder.
include_guard(GLOBAL)

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
  if(NOT CMAKE_CUDA_COMPILER)
    find_program(WORKSHOP_NVCC nvcc HINTS /usr/local/cuda/bin /opt/cuda/bin)
    if(WORKSHOP_NVCC)
      set(CMAKE_CUDA_COMPILER ${WORKSHOP_NVCC})
    endif()
  endif()
  if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES)
    if(WORKSHOP_GPU_PRESENT)
      set(CMAKE_CUDA_ARCHITECTURES native)
    else()
      set(CMAKE_CUDA_ARCHITECTURES OFF)  # nvcc's own default: PTX that every supported GPU can run
    endif()
  endif()
  include(CheckLanguage)
  check_language(CUDA)
  if(CMAKE_CUDA_COMPILER)
    enable_language(CUDA)
    if(NOT DEFINED CMAKE_CUDA20_STANDARD_COMPILE_OPTION)  # CMake 3.25 does not know it yet
      set(CMAKE_CUDA20_STANDARD_COMPILE_OPTION -std=c++20)
    endif()
    set(WORKSHOP_HAVE_CUDA ON)
  else()
    message(STATUS "No CUDA compiler (nvcc): only the cpu flavour is built. "
                   "Install the CUDA Toolkit for the gpu flavour.")
  endif()
endif()

# ---- Libraries: the installed ones first, else fetched at a pinned hash.
include(FetchContent)
set(FETCHCONTENT_QUIET OFF)
FetchContent_Declare(CLI11
  URL https://github.com/CLIUtils/CLI11/archive/refs/tags/v2.4.2.tar.gz
  URL_HASH SHA256=f2d893a65c3b1324c50d4e682c0cdc021dd0477ae2c048544f39eed6654b699a
  FIND_PACKAGE_ARGS)
FetchContent_Declare(nlohmann_json
  URL https://github.com/nlohmann/json/releases/download/v3.11.3/json.tar.xz
  URL_HASH SHA256=d6c65aca6b1ed68e7a182f4757257b107ae403032760ed6ef121c9d55e81757d
  FIND_PACKAGE_ARGS)
FetchContent_Declare(GTest
  URL https://github.com/google/googletest/archive/refs/tags/v1.14.0.tar.gz
  URL_HASH SHA256=8ad598c73ad796e0d8280b082cebd82a630d73e73cd3c70057938a6501bba5d7
  FIND_PACKAGE_ARGS)
set(INSTALL_GTEST OFF)
find_package(Boost 1.71 QUIET COMPONENTS context)
if(NOT Boost_FOUND)
  message(STATUS "Boost.Context is not installed (Debian and Ubuntu: libboost-context-dev, macOS: "
                 "brew install boost; ./common/setup.sh does it): fetching it")
  enable_language(ASM)
  set(BOOST_INCLUDE_LIBRARIES context)
  FetchContent_Declare(Boost
    URL https://github.com/boostorg/boost/releases/download/boost-1.84.0/boost-1.84.0.tar.xz
    URL_HASH SHA256=2e64e5d79a738d0fa6fb546c6e5c2bd28f88d268a2a080546f74e5ff98f29d0e)
  FetchContent_MakeAvailable(Boost)
endif()
FetchContent_MakeAvailable(CLI11 nlohmann_json GTest)
find_package(OpenMP QUIET COMPONENTS CXX)
if(NOT OpenMP_CXX_FOUND)
  message(STATUS "No OpenMP: lesson 01 uses one core. (Debian and Ubuntu with clang: libomp-dev)")
endif()

# ---- Flags
add_library(workshop_warnings INTERFACE)
# -Wno-unknown-pragmas: "#pragma unroll" is nvcc's, and OpenMP may be missing. -Wrestrict: g++ 12 warns of its own std::string (GCC bug 105651).
target_compile_options(workshop_warnings INTERFACE
  $<$<COMPILE_LANGUAGE:CXX>:-Wall$<SEMICOLON>-Wextra$<SEMICOLON>-Wno-unknown-pragmas>
  $<$<AND:$<COMPILE_LANGUAGE:CXX>,$<CXX_COMPILER_ID:GNU>>:-Wno-restrict>
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
  add_program(${flavour} ${name} ${source})
  target_link_libraries(${name}_${flavour} PRIVATE GTest::gtest_main)
  set_target_properties(${name}_${flavour} PROPERTIES
    RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/${flavour}/tests)
  gtest_discover_tests(${name}_${flavour} TEST_PREFIX ${flavour}. PROPERTIES LABELS ${flavour}
    DISCOVERY_TIMEOUT 60)
endfunction()

# A GoogleTest source of host code, without kernels.
function(add_host_test name source)
  add_executable(${name} ${source})
  target_link_libraries(${name} PRIVATE workshop simt nlohmann_json::nlohmann_json GTest::gtest_main)
  set_target_properties(${name} PROPERTIES
    RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/cpu/tests)
  gtest_discover_tests(${name} TEST_PREFIX cpu. PROPERTIES LABELS cpu DISCOVERY_TIMEOUT 60)
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
