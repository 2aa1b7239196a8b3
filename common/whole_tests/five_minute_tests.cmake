# The tests that tell a reader within five minutes that everything works here: what README's test
# command builds and runs (the preset "test", label five-minutes). All others are run by .ci/run (the
# preset "all"). A test belongs here when it is about what every reader uses, and is quick.
set(FIVE_MINUTE_TESTS
  # the lessons
  cpu_baseline_test neighbored_test neighbored_less_test interleaved_test unroll2_test
  unroll8_warp_test complete_unroll_test shuffle_test mean_matvec_test
  # the executor: what it runs, counts and finds
  executor_test lockstep_test profiler_test faults_test findings_test verdicts_test
  # units of host code
  base_test options_test report_test input_test measure_test device_array_test workspace_test
  lesson_test estimate_test includes_test
  # the programs: their flags, output and files
  programs_test)

# Programs of one's own, of common/simtcc/tests/programs: one for each thing that simtcc does.
set(FIVE_MINUTE_PROGRAMS
  vector_add launch_syntax transpose reduce_cooperative_groups grid_sync warp_primitives atomics_all
  device_variables dynamic_shared_aliases stencil_constant structs_by_value textures half_precision
  streams_events graph_captured printf_in_kernels several_files
  fault_race fault_between_blocks fault_out_of_bounds fault_unwritten fault_dynamic_shared fault_free
  refused_library nested_launches refused_shared_initialiser)

# Every name above is a test's: one that was renamed would be left out without a word.
function(check_five_minute_tests)
  foreach(test ${FIVE_MINUTE_TESTS})
    if(NOT TARGET ${test} AND NOT TARGET ${test}_cpu)
      message(FATAL_ERROR "five_minute_tests.cmake: there is no ${test}")
    endif()
  endforeach()
  foreach(program ${FIVE_MINUTE_PROGRAMS})
    if(NOT EXISTS ${WORKSHOP_DIR}/common/simtcc/tests/programs/${program}.cu)
      message(FATAL_ERROR "five_minute_tests.cmake: there is no ${program}.cu")
    endif()
  endforeach()
endfunction()
