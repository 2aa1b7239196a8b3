# Tests of what the lessons share, and of the built programs.

# ---- Host code
if(WORKSHOP_HAVE_GTEST)
  add_host_test(options_test common/options_test.cpp)
  add_host_test(report_test common/report_test.cpp)
  add_host_test(compare_test common/compare/compare_test.cpp)
  target_compile_definitions(compare_test PRIVATE COMPARE="$<TARGET_FILE:compare>"
    RESULTS_DIR="${CMAKE_SOURCE_DIR}/common/results")
  add_dependencies(compare_test compare)
  add_host_test(weave_test common/weave/weave_test.cpp)
  target_link_libraries(weave_test PRIVATE weaving)
  target_compile_definitions(weave_test PRIVATE WEAVE="$<TARGET_FILE:weave>")
  add_dependencies(weave_test weave)
endif()

# What the fuzzers started from and found, replayed; with WORKSHOP_FUZZ and clang, the fuzzers.
option(WORKSHOP_FUZZ "Build the fuzzers (clang)" OFF)
foreach(name result count)
  if(WORKSHOP_HAVE_GTEST)
    add_host_test(${name}_replay_test common/fuzz/replay_test.cpp)
    target_sources(${name}_replay_test PRIVATE common/fuzz/${name}_fuzzer.cpp)
    target_compile_definitions(${name}_replay_test PRIVATE NAME=Replays_${name}
      CORPUS="${CMAKE_SOURCE_DIR}/common/fuzz/corpus/${name}")
  endif()
  if(WORKSHOP_FUZZ)
    add_executable(${name}_fuzzer common/fuzz/${name}_fuzzer.cpp)
    target_link_libraries(${name}_fuzzer PRIVATE workshop)
    target_link_options(${name}_fuzzer PRIVATE -fsanitize=fuzzer)
    set_target_properties(${name}_fuzzer PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR})
  endif()
endforeach()

# ---- What cmake says where something is missing
add_test(NAME cpu.Configure.SaysWhatIsMissing COMMAND ${CMAKE_COMMAND} -D SOURCE=${CMAKE_SOURCE_DIR} -D GENERATOR=${CMAKE_GENERATOR}
  -D WORK=${CMAKE_BINARY_DIR}/configure_test -P ${CMAKE_SOURCE_DIR}/common/configure_test.cmake)
set_tests_properties(cpu.Configure.SaysWhatIsMissing PROPERTIES LABELS cpu)

# ---- The executor, and the programs
if(WORKSHOP_HAVE_EXECUTOR AND WORKSHOP_HAVE_GTEST)
  add_workshop_test(cpu executor_test common/simt/executor_test.cu)
  add_workshop_test(cpu public_kernels_test common/simt/public_kernels_test.cu)
  add_workshop_test(cpu profiler_test common/simt/profiler_test.cu)
  target_compile_definitions(profiler_test_cpu PRIVATE
    PROFILE_CSV="${CMAKE_SOURCE_DIR}/common/simt/profile.csv")
  add_workshop_test(cpu picture_test common/picture_test.cu)
  target_compile_definitions(picture_test_cpu PRIVATE LESSONS_DIR="${CMAKE_SOURCE_DIR}")
  add_workshop_test(cpu mistakes_test common/mistakes/mistakes_test.cu)

  add_host_test(programs_test common/programs_test.cpp)
  target_compile_definitions(programs_test PRIVATE PROGRAMS_DIR="${CMAKE_BINARY_DIR}/cpu"
    RESULTS_DIR="${CMAKE_SOURCE_DIR}/common/results"
    $<$<BOOL:${WORKSHOP_HAVE_CUDA}>:GPU_PROGRAMS_DIR="${CMAKE_BINARY_DIR}/gpu">)
  if(WORKSHOP_SANITIZE)
    target_compile_definitions(programs_test PRIVATE PROGRAMS_SANITIZED)
  endif()
  add_dependencies(programs_test ladder 01_cpu_baseline 02_neighbored 03_neighbored_less 04_interleaved
    05_unroll2 06_unroll8_warp 07_complete_unroll 08_shuffle 09_mean_matvec matrix_sum)
endif()
if(WORKSHOP_HAVE_EXECUTOR AND NOT WORKSHOP_SANITIZE)
  add_test(NAME cpu.Mistakes.ProgramShowsTheReports COMMAND mistakes_cpu)
  set_tests_properties(cpu.Mistakes.ProgramShowsTheReports PROPERTIES LABELS cpu
    PASS_REGULAR_EXPRESSION "race in global memory on data.*but the sum is wrong")
  # The pages show what the usual build counts; another optimisation may branch elsewhere.
  if(CMAKE_CXX_COMPILER_ID STREQUAL GNU AND NOT CMAKE_BUILD_TYPE STREQUAL Debug AND
      WORKSHOP_KERNEL_OPTIMISATION STREQUAL "-O2")
    add_test(NAME cpu.Pages.AreUpToDate COMMAND weave --check)
    set_tests_properties(cpu.Pages.AreUpToDate PROPERTIES LABELS cpu)
  endif()
endif()
