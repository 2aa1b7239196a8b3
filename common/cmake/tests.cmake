# Tests: with kernels for either backend, or of host code; and which of them are the quick ones.
include(GoogleTest)
include(${CMAKE_CURRENT_LIST_DIR}/../whole_tests/five_minute_tests.cmake)

# The same for a GoogleTest source that launches kernels. HOST: it has none of its own, so that it is
# compiled as what it is, host code. Kernels are dear to compile, instrumented and optimised, and what
# is beside them in a file is compiled the same way. ANY_COMPILER: nothing in it depends on the compiler
# of the kernels, so that it is not run with a second one.
function(add_kernel_test backend name source)
  cmake_parse_arguments(test "ANY_COMPILER" "" "" ${ARGN})
  if(NOT WORKSHOP_HAVE_GTEST OR NOT TARGET workshop_program_${backend})
    return()
  endif()
  set(ARGN ${test_UNPARSED_ARGUMENTS})
  set(wrong)
  if(TARGET wrong_kernels_${backend})
    set(wrong wrong_kernels)
  endif()
  add_program(${backend} ${name} ${source} test_support ${wrong} draw ${ARGN})
  if("HOST" IN_LIST ARGN)
    optimise(${name}_${backend} -O0)
    precompile_test_headers(${name}_${backend})
  elseif(backend STREQUAL cpu)
    precompile_test_headers(${name}_cpu KERNELS)
  endif()
  set_target_properties(${name}_${backend} PROPERTIES
    RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/${backend}/tests)
  set(of lesson)
  cmake_path(SET common "${WORKSHOP_DIR}/common")
  cmake_path(IS_PREFIX common "${CMAKE_CURRENT_SOURCE_DIR}" isOfCommon)
  if(isOfCommon)
    set(of common)
  endif()
  set(kind kernels-of-${of})
  if(test_ANY_COMPILER)
    string(APPEND kind -any-compiler)
  elseif(backend STREQUAL cpu)
    add_to_target(kernel_tests ${name}_cpu)
  endif()
  discover_tests(${name} ${name}_${backend} ${backend} ${kind})
endfunction()

# A GoogleTest source of host code, without kernels. TOGETHER: its tests share what the first of them
# made, such as a compiled program, so that they are one process, and one of ctest's tests.
function(add_host_test name source)
  cmake_parse_arguments(test "TOGETHER" "" "" ${ARGN})
  if(NOT WORKSHOP_HAVE_GTEST)
    return()
  endif()
  add_executable(${name} ${source})
  target_link_libraries(${name} PRIVATE workshop_test_support workshop_flags ${test_UNPARSED_ARGUMENTS})
  set_target_properties(${name} PROPERTIES
    RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/cpu/tests)
  if(NOT "${ARGN}" MATCHES "simt_kernels|OpenMP")  # their flags are their own
    target_compile_options(${name} PRIVATE -O0)  # it runs for less time than its optimisation
    precompile_test_headers(${name})
  endif()
  compile_together(${name} 0)
  add_to_target(host_tests ${name})
  if(test_TOGETHER)
    add_test(NAME cpu.${name} COMMAND ${name} --gtest_brief=1)
    set_tests_properties(cpu.${name} PROPERTIES LABELS cpu-host COST 20)
  else()
    discover_tests(${name} ${name} cpu host)
  endif()
endfunction()

# Makes the target whole, which it creates, build the target part as well.
function(add_to_target whole part)
  if(NOT TARGET ${whole})
    add_custom_target(${whole})
  endif()
  add_dependencies(${whole} ${part})
endfunction()

# A label for each test, to be searched for its words: "cpu-kernels-of-lesson", or "-of-common", with
# "-any-compiler" behind it where a second one has nothing to add; "cpu-host"; "gpu-kernels-of-lesson".
# In front of those that README's command runs: "five-minutes-".
function(discover_tests name target backend kind)
  set(tier "")
  if(name IN_LIST FIVE_MINUTE_TESTS AND (backend STREQUAL cpu OR WORKSHOP_GPU_PRESENT))
    set(tier five-minutes-)
    add_to_target(five_minute_tests ${target})
  endif()
  # The sanitizers take a while to begin, so that all tests of a program are one process, and one of
  # ctest's tests; what has nothing to do with memory, such as a browser's view of a page, is left out.
  if(WORKSHOP_SANITIZE)
    string(JOIN ":" left_out *Browser* *AtEveryWidth* *InTheDark* *LanguageOfThePage* *FitATelephone* Mpirun.*
      Includes.* Links.Of* *Pages* Site.IsWhole* */Steps.Slow* Terminal.HasRoomFor*
      Programs.TakeWhatTheySaidBack*)
    add_test(NAME ${backend}.${name} COMMAND ${target} --gtest_brief=1 --gtest_filter=-${left_out})
    set_tests_properties(${backend}.${name} PROPERTIES LABELS ${backend}-${kind} COST 1)
    return()
  endif()
  gtest_discover_tests(${target} TEST_PREFIX ${backend}.
    PROPERTIES LABELS ${tier}${backend}-${kind} DISCOVERY_TIMEOUT 60)
endfunction()
