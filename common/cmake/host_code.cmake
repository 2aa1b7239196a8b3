# How host code is compiled: warnings, sanitizers, the linker, optimisation, headers read once.

# Flags of all host code: warnings, and the sanitizers when asked for. Who links it has them.
add_library(workshop_flags INTERFACE)
# -Wno-unknown-pragmas: "#pragma unroll" is nvcc's, and OpenMP may be missing. -Wrestrict: g++ 12
# warns of its own std::string (GCC bug 105651). Deprecated declarations: newer clang warns of
# libstdc++ 12's own std::stable_sort. g++ looks for garbage in its memory from 800 MB on, not 128: a tenth
# of its time for many sources compiled as one.
target_compile_options(workshop_flags INTERFACE
  $<$<COMPILE_LANGUAGE:CXX>:-Wall$<SEMICOLON>-Wextra$<SEMICOLON>-Wno-unknown-pragmas>
  $<$<AND:$<COMPILE_LANGUAGE:CXX>,$<CXX_COMPILER_ID:GNU>>:-Wno-restrict>
  $<$<AND:$<COMPILE_LANGUAGE:CXX>,$<CXX_COMPILER_ID:GNU>>:--param=ggc-min-heapsize=800000>
  $<$<AND:$<COMPILE_LANGUAGE:CXX>,$<CXX_COMPILER_ID:Clang>>:-Wno-deprecated-declarations>
  $<$<COMPILE_LANGUAGE:CUDA>:-Xcompiler=-Wall,-Wextra>)
set(WORKSHOP_SANITIZE "" CACHE STRING "Build host code with these sanitizers, such as address,undefined")
option(WORKSHOP_FUZZ "Build the fuzzers (clang)" OFF)
if(WORKSHOP_SANITIZE)
  # A compiler instruments kernels for the executor or for a sanitizer, not for both. Host code has no
  # debugging information, a sixth of the time to compile it: reports name functions, and lines where
  # CMAKE_CXX_FLAGS has -g1.
  set(has_kernels $<BOOL:$<FILTER:$<TARGET_PROPERTY:LINK_LIBRARIES>,INCLUDE,simt_kernels>>)
  set(is_host_code $<AND:$<COMPILE_LANGUAGE:CXX>,$<NOT:${has_kernels}>>)
  target_compile_options(workshop_flags INTERFACE
    $<${is_host_code}:-fsanitize=${WORKSHOP_SANITIZE}> $<${is_host_code}:-fno-sanitize-recover=all>
    $<$<AND:${is_host_code},$<BOOL:${WORKSHOP_FUZZ}>>:-fsanitize=fuzzer-no-link>)
  target_link_options(workshop_flags INTERFACE -fsanitize=${WORKSHOP_SANITIZE})
  # Undefined behaviour inside the libraries' templates is half of all code to check; what they ask of
  # who calls them, such as an index, the standard library's assertions look at.
  target_compile_definitions(workshop_flags INTERFACE _GLIBCXX_ASSERTIONS)
  if(WORKSHOP_SANITIZE MATCHES undefined AND CMAKE_CXX_COMPILER_ID STREQUAL Clang)
    file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/not_ours.txt CONTENT "[undefined]\nsrc:/usr/*\n")
    target_compile_options(workshop_flags INTERFACE
      $<${is_host_code}:-fsanitize-ignorelist=${CMAKE_BINARY_DIR}/not_ours.txt>)
  endif()
endif()

# gold links a program in half the time of binutils' other linker: 0.2 s of the second between saving
# an exercise and its grade. lld takes a quarter, and what the sanitizers add is large.
if(NOT CMAKE_LINKER_TYPE AND CMAKE_SYSTEM_NAME STREQUAL Linux)
  set(linker gold)
  if(WORKSHOP_SANITIZE)
    set(linker lld)
  endif()
  include(CheckLinkerFlag)
  check_linker_flag(CXX -fuse-ld=${linker} WORKSHOP_LINKS_BY_${linker})
  if(WORKSHOP_LINKS_BY_${linker})
    target_link_options(workshop_flags INTERFACE $<$<LINK_LANGUAGE:CXX>:-fuse-ld=${linker}>)
  endif()
endif()
# The large headers of tests, read once for all of them. ccache cannot look through them, so that they
# are left out where a compiler launcher is set.
if(CMAKE_CXX_COMPILER_LAUNCHER)
  set(precompile OFF)
else()
  set(precompile ON)
endif()
option(WORKSHOP_PRECOMPILE "Read the large headers of tests once for all files" ${precompile})
# The sources of a room, or of a test, in one or a few compilations: most of the time goes into the
# headers that all of them read. Who works on a room turns it off, and so does a compiler launcher, whose cache is
# better served by single files.
option(WORKSHOP_UNITY "Compile the sources of a room of common/ together" ${precompile})
# compile_together(<target> <files at a time, or 0 for all>)
function(compile_together target batch)
  if(WORKSHOP_UNITY)
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE ${batch})
    # g++ 12 warns of its own std::string (GCC bug 105651) where it sees much of it at a time, and of
    # tests with fixtures in unnamed namespaces, as their sources are included.
    target_compile_options(${target} PRIVATE
      $<$<AND:$<COMPILE_LANGUAGE:CXX>,$<CXX_COMPILER_ID:GNU>>:-Wno-array-bounds$<SEMICOLON>-Wno-stringop-overflow$<SEMICOLON>-Wno-subobject-linkage>)
  endif()
endfunction()
# The headers that most tests read, for a target that is built as test_headers is, or with KERNELS as
# kernels are: a fifth of g++'s time, a third of clang++'s. Not JSON's: each source would instantiate again
# what its inline functions call, 0.4 s, and few use it.
function(precompile_test_headers target)
  if(NOT WORKSHOP_PRECOMPILE)
    return()
  endif()
  set(headers test_headers)
  set(how -O0)
  set(executor)
  set(first)
  if("KERNELS" IN_LIST ARGN)
    set(headers test_headers_of_kernels)
    set(how)
    set(executor simt_kernels)
    set(first ${WORKSHOP_DIR}/common/simt/device/memory_calls.h)  # or g++ takes none of it
    set_target_properties(${target} PROPERTIES SIMT_MEMORY_CALLS_PRECOMPILED ON)
  endif()
  if(NOT TARGET ${headers})
    file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/${headers}.cpp CONTENT "\n")
    add_library(${headers} OBJECT ${CMAKE_BINARY_DIR}/${headers}.cpp)
    set_target_properties(${headers} PROPERTIES SIMT_MEMORY_CALLS_PRECOMPILED ON)
    target_link_libraries(${headers} PRIVATE workshop_flags workshop_test_support fmt::fmt ${executor})
    target_compile_options(${headers} PRIVATE ${how})
    target_precompile_headers(${headers} PRIVATE ${first} <gtest/gtest.h> <fmt/format.h>
      <filesystem> <fstream> <functional> <iostream> <map> <sstream>)
  endif()
  # What they were read with, or the compiler does not take them.
  target_link_libraries(${target} PRIVATE fmt::fmt nlohmann_json::nlohmann_json)
  target_precompile_headers(${target} REUSE_FROM ${headers})
endfunction()

# Optimisation of a target of this repository instead of Release's -O3, which takes the compiler
# longer than it saves anybody.
function(optimise target level)
  target_compile_options(${target} PRIVATE
    $<$<AND:$<COMPILE_LANGUAGE:CXX>,$<CONFIG:Release>>:${level}>)
endfunction()

# For what is waited for; a little under the sanitizers, too, where it takes five times as long at -O0.
function(optimise_computing target)
  optimise(${target} -O2)
  if(WORKSHOP_SANITIZE)
    target_compile_options(${target} PRIVATE -O1)
  endif()
endfunction()

# For host code that runs for less time than its optimisation.
function(optimise_lightly target)
  optimise(${target} -O1)
endfunction()
