# How programs and tests are built, for either backend.
include(GoogleTest)
include(${CMAKE_CURRENT_LIST_DIR}/../whole_tests/five_minute_tests.cmake)

# Flags of all host code: warnings, and the sanitizers when asked for. Who links it has them.
add_library(workshop_flags INTERFACE)
# -Wno-unknown-pragmas: "#pragma unroll" is nvcc's, and OpenMP may be missing. -Wrestrict: g++ 12
# warns of its own std::string (GCC bug 105651). Deprecated declarations: newer clang warns of
# libstdc++ 12's own std::stable_sort.
target_compile_options(workshop_flags INTERFACE
  $<$<COMPILE_LANGUAGE:CXX>:-Wall$<SEMICOLON>-Wextra$<SEMICOLON>-Wno-unknown-pragmas>
  $<$<AND:$<COMPILE_LANGUAGE:CXX>,$<CXX_COMPILER_ID:GNU>>:-Wno-restrict>
  $<$<AND:$<COMPILE_LANGUAGE:CXX>,$<CXX_COMPILER_ID:Clang>>:-Wno-deprecated-declarations>
  $<$<COMPILE_LANGUAGE:CUDA>:-Xcompiler=-Wall,-Wextra>)
set(WORKSHOP_SANITIZE "" CACHE STRING
  "Build host code with these sanitizers, such as address,undefined: no executor counts then")
option(WORKSHOP_FUZZ "Build the fuzzers (clang)" OFF)
if(WORKSHOP_SANITIZE)
  set(SIMT_INSTRUMENT OFF CACHE BOOL "Kernels report their memory accesses to the executor" FORCE)
  target_compile_options(workshop_flags INTERFACE
    $<$<COMPILE_LANGUAGE:CXX>:-fsanitize=${WORKSHOP_SANITIZE}>
    $<$<COMPILE_LANGUAGE:CXX>:-fno-sanitize-recover=all> $<$<COMPILE_LANGUAGE:CXX>:-g1>
    $<$<AND:$<COMPILE_LANGUAGE:CXX>,$<BOOL:${WORKSHOP_FUZZ}>>:-fsanitize=fuzzer-no-link>)
  target_link_options(workshop_flags INTERFACE -fsanitize=${WORKSHOP_SANITIZE})
endif()

# gold links a program in half the time of binutils' other linker: 0.2 s of the second between saving
# an exercise and its grade.
if(NOT WORKSHOP_SANITIZE AND NOT CMAKE_LINKER_TYPE AND CMAKE_SYSTEM_NAME STREQUAL Linux)
  include(CheckLinkerFlag)
  check_linker_flag(CXX -fuse-ld=gold WORKSHOP_HAS_GOLD)
  if(WORKSHOP_HAS_GOLD)
    target_link_options(workshop_flags INTERFACE $<$<LINK_LANGUAGE:CXX>:-fuse-ld=gold>)
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

# The sources of a room in one or a few compilations: most of the time goes into the headers that all
# of them read. Who works on a room turns it off, and so does a compiler launcher, whose cache is
# better served by single files.
option(WORKSHOP_UNITY "Compile the sources of a room of common/ together" ${precompile})
# compile_together(<target> <files at a time, or 0 for all>)
function(compile_together target batch)
  if(WORKSHOP_UNITY)
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE ${batch})
    # g++ 12 warns of its own std::string (GCC bug 105651) where it sees much of it at a time.
    target_compile_options(${target} PRIVATE
      $<$<AND:$<COMPILE_LANGUAGE:CXX>,$<CXX_COMPILER_ID:GNU>>:-Wno-array-bounds$<SEMICOLON>-Wno-stringop-overflow>)
  endif()
endfunction()

# The headers that most tests of host code read, for a target that is built like them.
function(precompile_test_headers target)
  if(NOT WORKSHOP_PRECOMPILE)
    return()
  endif()
  if(NOT TARGET test_headers)
    file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/test_headers.cpp CONTENT "\n")
    add_library(test_headers OBJECT ${CMAKE_BINARY_DIR}/test_headers.cpp)
    target_link_libraries(test_headers PRIVATE workshop_flags workshop_test_support fmt::fmt
      nlohmann_json::nlohmann_json)
    target_compile_options(test_headers PRIVATE -O0)
    target_precompile_headers(test_headers PRIVATE <gtest/gtest.h> <nlohmann/json.hpp>
      <fmt/format.h> <filesystem> <fstream> <functional> <iostream> <map> <sstream>)
  endif()
  # What they were read with, or the compiler does not take them.
  target_link_libraries(${target} PRIVATE fmt::fmt nlohmann_json::nlohmann_json)
  target_precompile_headers(${target} REUSE_FROM test_headers)
endfunction()

# Optimisation of a target of this repository instead of Release's -O3, which takes the compiler
# longer than it saves anybody.
function(optimise target level)
  target_compile_options(${target} PRIVATE
    $<$<AND:$<COMPILE_LANGUAGE:CXX>,$<CONFIG:Release>>:${level}>)
endfunction()

# For host code that runs for less time than its optimisation.
function(optimise_lightly target)
  optimise(${target} -O1)
endfunction()

# add_room(<folder's name> [COMPUTES] [WITH <whole>] SOURCES … LINKS …): the target of a folder of
# common/ that is the same for both backends. Without sources it is its headers. COMPUTES: its time is
# waited for, and so it is optimised; that of every room of a whole, or of none. WITH: every program
# has it; rooms of one whole are compiled as one source (add_to_whole).
function(add_room name)
  cmake_parse_arguments(room "COMPUTES" "WITH" "SOURCES;LINKS;PRIVATE_LINKS" ${ARGN})
  if(room_WITH AND WORKSHOP_UNITY)
    add_to_whole(workshop_${room_WITH} workshop_${name})
  elseif(room_SOURCES)
    add_library(workshop_${name} STATIC ${room_SOURCES})
    if(room_COMPUTES)
      optimise(workshop_${name} -O2)
    elseif(room_WITH)
      optimise(workshop_${name} -O0)
    else()
      optimise_lightly(workshop_${name})
    endif()
    if(NOT name MATCHES "^kernels_")
      compile_together(workshop_${name} 10)
    endif()
    target_link_libraries(workshop_${name} PUBLIC workshop_flags ${room_LINKS}
      PRIVATE ${room_PRIVATE_LINKS})
    target_include_directories(workshop_${name} PUBLIC ${WORKSHOP_DIR}/common)
  else()
    add_library(workshop_${name} INTERFACE)
    target_link_libraries(workshop_${name} INTERFACE workshop_flags ${room_LINKS})
    target_include_directories(workshop_${name} INTERFACE ${WORKSHOP_DIR}/common)
  endif()
endfunction()

# For add_room: its sources become part of the library <whole>, one compilation in all, and <room> a
# name for it. The first build of a program spends most of its time on headers that each room reads
# again, and on what each makes of their templates.
function(add_to_whole whole room)
  if(NOT TARGET ${whole})
    add_library(${whole} STATIC)
    if(room_COMPUTES)
      optimise(${whole} -O2)
    else()
      optimise(${whole} -O0)
    endif()
    compile_together(${whole} 0)
    target_link_libraries(${whole} PUBLIC workshop_flags)
    target_include_directories(${whole} PUBLIC ${WORKSHOP_DIR}/common)
  endif()
  list(TRANSFORM room_SOURCES PREPEND ${CMAKE_CURRENT_SOURCE_DIR}/)
  target_sources(${whole} PRIVATE ${room_SOURCES})
  add_library(${room} INTERFACE)
  set_target_properties(${room} PROPERTIES COMPILED_IN ${whole})
  target_link_libraries(${room} INTERFACE ${whole})
  foreach(link ${room_LINKS})
    compiled_in(${link} other)
    if(NOT other STREQUAL whole)
      target_link_libraries(${whole} PUBLIC ${link})
    endif()
  endforeach()
  target_link_libraries(${whole} PRIVATE ${room_PRIVATE_LINKS})
endfunction()

# Sets variable to the target that compiles the sources of a room: its own, or the whole's.
function(compiled_in room variable)
  set(whole FALSE)
  if(TARGET ${room})
    get_target_property(whole ${room} COMPILED_IN)
  endif()
  if(NOT whole)
    set(whole ${room})
  endif()
  set(${variable} ${whole} PARENT_SCOPE)
endfunction()

# add_backend_room(<name> [COMPUTES] [WITH <whole>] SOURCES … CPU_SOURCES … LINKS … CPU_LINKS …): the
# same for a folder whose host code differs between the backends: workshop_<name>_cpu and
# workshop_<name>_gpu. LINKS names other such folders by their name alone, and anything else by its
# target. WITH is for the cpu's, which is not timed and takes COMPUTES only without it.
function(add_backend_room name)
  cmake_parse_arguments(room "COMPUTES" "WITH"
    "SOURCES;CPU_SOURCES;LINKS;CPU_LINKS;PRIVATE_LINKS" ${ARGN})
  foreach(backend cpu gpu)
    if(NOT TARGET workshop_cuda_${backend})
      continue()
    endif()
    set(sources ${room_SOURCES})
    set(links)
    set(how)
    if(room_COMPUTES)
      set(how COMPUTES)
    endif()
    if(backend STREQUAL cpu)
      list(APPEND sources ${room_CPU_SOURCES})
      list(APPEND links ${room_CPU_LINKS})
      if(room_WITH)
        set(how WITH ${room_WITH})
      endif()
    endif()
    foreach(link ${room_LINKS})
      if(TARGET workshop_${link}_${backend})
        list(APPEND links workshop_${link}_${backend})
      else()
        list(APPEND links ${link})
      endif()
    endforeach()
    add_room(${name}_${backend} ${how} SOURCES ${sources} LINKS ${links}
      PRIVATE_LINKS ${room_PRIVATE_LINKS})
  endforeach()
endfunction()

# Sources that either compiler can compile have the suffix that it knows: nvcc, or the host's.
set(suffix_gpu cu)
set(suffix_cpu cpp)

# add_kernels(<file> … GPU <file> …): workshop_kernels_<backend>, in which each file of the lessons is
# compiled by itself: who changes a kernel waits for it alone. GPU: those of that backend only.
function(add_kernels)
  cmake_parse_arguments(only "" "" "GPU" ${ARGN})
  set(files_cpu ${only_UNPARSED_ARGUMENTS})
  set(files_gpu ${only_UNPARSED_ARGUMENTS} ${only_GPU})
  foreach(backend cpu gpu)
    if(NOT TARGET workshop_cuda_${backend})
      continue()
    endif()
    set(sources)
    foreach(file ${files_${backend}})
      cmake_path(ABSOLUTE_PATH file BASE_DIRECTORY ${WORKSHOP_DIR} NORMALIZE)
      cmake_path(GET file STEM stem)
      source_for(${backend} kernels/${stem} ${file} source)
      list(APPEND sources ${source})
    endforeach()
    add_room(kernels_${backend} COMPUTES SOURCES ${sources} LINKS workshop_cuda_${backend}
      PRIVATE_LINKS $<$<STREQUAL:${backend},cpu>:simt_kernels>)
  endforeach()
endfunction()

# Sets variable to what the backend's compiler takes for the source: itself, or where it does not know
# the suffix, a file of this name that includes it.
function(source_for backend name source variable)
  cmake_path(ABSOLUTE_PATH source NORMALIZE)
  if(NOT source MATCHES "[.](cpp|${suffix_${backend}})$")
    set(wrapper ${CMAKE_CURRENT_BINARY_DIR}/${name}.${suffix_${backend}})
    file(CONFIGURE OUTPUT ${wrapper} CONTENT "#include \"${source}\"\n" @ONLY)
    set(source ${wrapper})
  endif()
  set(${variable} ${source} PARENT_SCOPE)
endfunction()

# Links the targets: folders of common/ by name, and kernels of add_kernel_object().
function(link_rooms target backend)
  foreach(link ${ARGN})
    if(TARGET workshop_${link}_${backend})
      target_link_libraries(${target} PRIVATE workshop_${link}_${backend})
    elseif(TARGET workshop_${link})
      target_link_libraries(${target} PRIVATE workshop_${link})
    elseif(TARGET ${link}_${backend})
      target_link_libraries(${target} PRIVATE ${link}_${backend})
    else()
      target_link_libraries(${target} PRIVATE ${link})
    endif()
  endforeach()
endfunction()

# add_program(<backend> <name> <source> [HOST] [target …]) builds build/<backend>/<name> from a
# source that either compiler can compile, and links the targets: folders of common/ by name. HOST:
# the source has no kernels of its own.
function(add_program backend name source)
  cmake_parse_arguments(program "HOST" "" "" ${ARGN})
  set(target ${name}_${backend})
  if(NOT TARGET workshop_program_${backend})
    return()
  endif()
  source_for(${backend} ${name} ${source} source)
  add_executable(${target} ${source})
  if(backend STREQUAL cpu)
    if(program_HOST)
      optimise(${target} -O0)
    else()
      target_link_libraries(${target} PRIVATE simt_kernels)
    endif()
  endif()
  link_rooms(${target} ${backend} program kernels ${program_UNPARSED_ARGUMENTS})
  set_target_properties(${target} PROPERTIES
    OUTPUT_NAME ${name} RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/${backend})
  add_to_target(${name} ${target})
endfunction()

# The same for a GoogleTest source that launches kernels. HOST: it has none of its own, so that it is
# compiled as what it is, host code. Kernels are dear to compile, instrumented and optimised, and what
# is beside them in a file is compiled the same way.
function(add_kernel_test backend name source)
  if(NOT WORKSHOP_HAVE_GTEST OR NOT TARGET workshop_program_${backend})
    return()
  endif()
  set(wrong)
  if(TARGET wrong_kernels_${backend})
    set(wrong wrong_kernels)
  endif()
  add_program(${backend} ${name} ${source} test_support ${wrong} draw ${ARGN})
  if(backend STREQUAL cpu AND "HOST" IN_LIST ARGN)
    precompile_test_headers(${name}_cpu)
  endif()
  set_target_properties(${name}_${backend} PROPERTIES
    RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/${backend}/tests)
  set(of lesson)
  cmake_path(SET common "${WORKSHOP_DIR}/common")
  cmake_path(IS_PREFIX common "${CMAKE_CURRENT_SOURCE_DIR}" isOfCommon)
  if(isOfCommon)
    set(of common)
  endif()
  if(backend STREQUAL cpu)
    add_to_target(kernel_tests ${name}_cpu)
    add_to_target(kernel_tests_of_${of} ${name}_cpu)
  endif()
  discover_tests(${name} ${name}_${backend} ${backend} kernels-of-${of})
endfunction()

# A GoogleTest source of host code, without kernels.
function(add_host_test name source)
  if(NOT WORKSHOP_HAVE_GTEST)
    return()
  endif()
  add_executable(${name} ${source})
  target_link_libraries(${name} PRIVATE workshop_test_support workshop_flags ${ARGN})
  set_target_properties(${name} PROPERTIES
    RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/cpu/tests)
  if(NOT "${ARGN}" MATCHES "simt_kernels|OpenMP")  # their flags are their own
    target_compile_options(${name} PRIVATE -O0)  # it runs for less time than its optimisation
    precompile_test_headers(${name})
  endif()
  add_to_target(host_tests ${name})
  discover_tests(${name} ${name} cpu host)
endfunction()

# Makes the target whole, which it creates, build the target part as well.
function(add_to_target whole part)
  if(NOT TARGET ${whole})
    add_custom_target(${whole})
  endif()
  add_dependencies(${whole} ${part})
endfunction()

# A label for each test, to be searched for its words: "cpu-kernels-of-lesson", or "-of-common", and
# with "-slow" at the end for tests whose name begins with Slow; "cpu-host"; "gpu-kernels-of-lesson".
# In front of those that README's command runs: "five-minutes-".
function(discover_tests name target backend kind)
  set(tier "")
  if(name IN_LIST FIVE_MINUTE_TESTS AND (backend STREQUAL cpu OR WORKSHOP_GPU_PRESENT))
    set(tier five-minutes-)
    add_to_target(five_minute_tests ${target})
  endif()
  gtest_discover_tests(${target} TEST_PREFIX ${backend}. TEST_FILTER -*.Slow*
    PROPERTIES LABELS ${tier}${backend}-${kind} DISCOVERY_TIMEOUT 60 TEST_LIST ${target})
  gtest_discover_tests(${target} TEST_PREFIX ${backend}. TEST_FILTER *.Slow*
    PROPERTIES LABELS ${backend}-${kind}-slow DISCOVERY_TIMEOUT 60 TEST_LIST ${target}-slow)
endfunction()

# Definitions for a target, where it is built.
function(define_for target)
  if(TARGET ${target})
    compiled_in(${target} target)
    target_compile_definitions(${target} PRIVATE ${ARGN})
  endif()
endfunction()

# add_lesson(<stem> [KERNELS_IN_MAIN] [EXERCISE_IN_MAIN] [EXERCISE_FOR] [target …]): this folder's
# main.cu, exercise.cuh and <stem>_test.cu, for both backends. A main.cu or a test that includes no
# kernels, nor the exercise, need not be compiled when they change. EXERCISE_FOR: exercise.cuh defines
# exerciseFor, which gives a kernel for each block size, and not the kernel exercise.
function(add_lesson stem)
  cmake_parse_arguments(lesson "KERNELS_IN_MAIN;KERNELS_IN_TEST;EXERCISE_IN_MAIN;EXERCISE_FOR" "" ""
    ${ARGN})
  set(links ${lesson_UNPARSED_ARGUMENTS})
  set(host HOST)
  if(lesson_KERNELS_IN_MAIN)
    set(host)
  endif()
  cmake_path(GET CMAKE_CURRENT_SOURCE_DIR FILENAME name)
  foreach(backend cpu gpu)
    add_program(${backend} ${name} main.cu ${host} ${links})
    if(TARGET ${name}_${backend})
      if(NOT lesson_EXERCISE_IN_MAIN)
        add_exercise(${backend} ${name} ${lesson_EXERCISE_FOR})
      endif()
      add_exercise_ends(${backend} ${name} ${lesson_EXERCISE_FOR})
    endif()
    if(lesson_KERNELS_IN_TEST)
      add_kernel_test(${backend} ${stem}_test ${stem}_test.cu ${links})
    else()
      add_kernel_test(${backend} ${stem}_test ${stem}_test.cu HOST ${name}_exercise
        ${name}_exercise_ends ${links})
      if(TARGET ${stem}_test_${backend})
        allow_helpers_twice(${stem}_test_${backend})
      endif()
    endif()
  endforeach()
endfunction()

# add_kernel_object(<backend> <name> <source> [room …]): a source with kernels, compiled by itself and
# once, for the programs and tests that name it among what they link. It may include the folders of
# common/ that are named behind it.
function(add_kernel_object backend name source)
  if(NOT TARGET workshop_cuda_${backend})
    return()
  endif()
  source_for(${backend} ${name} ${source} source)
  add_library(${name}_${backend} OBJECT ${source})
  link_rooms(${name}_${backend} ${backend} flags cuda ${ARGN})
  if(backend STREQUAL cpu)
    target_link_libraries(${name}_cpu PRIVATE simt_kernels)
  endif()
endfunction()

# The same for one program: <program>_<part>_<backend>.
function(add_kernels_of_program backend program part source)
  if(TARGET ${program}_${backend})
    add_kernel_object(${backend} ${program}_${part} ${source} ${ARGN})
    link_rooms(${program}_${backend} ${backend} ${program}_${part})
  endif()
endfunction()

# add_exercise(<backend> <program> <defines exerciseFor>): this folder's exercise.cuh, compiled by
# itself for the program.
function(add_exercise backend program for)
  set(exercise ${CMAKE_CURRENT_SOURCE_DIR}/exercise.cuh)
  if(for)
    set(name exerciseFor)
    set(type "void (*(*)(unsigned))(int*, int*, size_t)")
    set(definition "BlockSumKernel exerciseFor(unsigned block)")
  else()
    set(name exercise)
    set(type "void (*)(int*, int*, size_t)")
    set(definition "__global__ void exercise(int*, int*, size_t)")
  endif()
  set(constant exerciseElementsPerThread)
  set(elements "")
  file(STRINGS ${WORKSHOP_DIR}/common/exercise/starts/${program}.cuh found REGEX "${constant} =")
  if(found AND backend STREQUAL cpu)  # nvcc does not take it for a constant
    set(elements " static_assert(__builtin_constant_p(${constant}), \"this file has to define: constexpr unsigned ${constant}\");")
  endif()
  set(source ${CMAKE_CURRENT_BINARY_DIR}/exercise.${suffix_${backend}})
  configure_file(${WORKSHOP_DIR}/common/exercise/exercise_alone.cu.in ${source} @ONLY)
  add_kernels_of_program(${backend} ${program} exercise ${source})
  allow_helpers_twice(${program}_${backend})
endfunction()

# An exercise may include a kernel of the lessons for its helpers.
function(allow_helpers_twice target)
  if(CMAKE_SYSTEM_NAME STREQUAL Linux)
    target_link_options(${target} PRIVATE LINKER:-z,muldefs)
  endif()
endfunction()

# add_exercise_ends(<backend> <program> <the exercise defines exerciseFor>): what exercise.cuh came
# as, and this folder's solution.cuh, compiled for the program to compare with.
function(add_exercise_ends backend program for)
  set(name exercise)
  set(solved solution)
  if(for)
    set(name exerciseFor)
    set(solved solutionFor)
  endif()
  set(start ${WORKSHOP_DIR}/common/exercise/starts/${program}.cuh)
  set(solution ${CMAKE_CURRENT_SOURCE_DIR}/solution.cuh)
  set(source ${CMAKE_CURRENT_BINARY_DIR}/exercise_ends.${suffix_${backend}})
  configure_file(${WORKSHOP_DIR}/common/exercise/exercise_ends.cu.in ${source} @ONLY)
  add_kernels_of_program(${backend} ${program} exercise_ends ${source})
endfunction()

# embed_text(<target> <file> <variable>): the file as a constant of that name, in the header
# <file's name, . as _>.h that the target's sources can include.
function(embed_text target file variable)
  if(NOT TARGET ${target})
    return()
  endif()
  file(READ ${file} text)
  string(REPLACE "." "_" header ${file})
  file(CONFIGURE OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/${header}.h CONTENT
    "#pragma once\ninline constexpr const char* @variable@ = R\"text(@text@)text\";\n" @ONLY)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
  target_include_directories(${target} PRIVATE ${CMAKE_CURRENT_BINARY_DIR})
endfunction()
