# A lesson: its program, its exercise, its test.

# add_lesson(<stem> [EXERCISE_FOR] [EXERCISE_TAKES <parameters>] [target …]): this folder's main.cu,
# exercise.cuh and <stem>_test.cu, for both backends. Kernels are compiled by themselves. EXERCISE_FOR:
# exercise.cuh defines exerciseFor, which gives a kernel for each block size, and not the kernel
# exercise. EXERCISE_TAKES: other parameters than an array, its results and its length.
function(add_lesson stem)
  cmake_parse_arguments(lesson "EXERCISE_FOR" "EXERCISE_TAKES" "" ${ARGN})
  if(NOT lesson_EXERCISE_TAKES)
    set(lesson_EXERCISE_TAKES "int*, int*, size_t")
  endif()
  set(links ${lesson_UNPARSED_ARGUMENTS})
  cmake_path(GET CMAKE_CURRENT_SOURCE_DIR FILENAME name)
  foreach(backend cpu gpu)
    add_program(${backend} ${name} main.cu HOST ${links})
    if(TARGET ${name}_${backend})
      add_exercise(${backend} ${name} ${lesson_EXERCISE_FOR} "${lesson_EXERCISE_TAKES}")
      add_exercise_ends(${backend} ${name} ${lesson_EXERCISE_FOR})
      add_practice(${backend} ${name})
    endif()
    add_kernel_test(${backend} ${stem}_test ${stem}_test.cu HOST ${name}_exercise
      ${name}_exercise_ends ${links})
    if(TARGET ${stem}_test_${backend})
      allow_helpers_twice(${stem}_test_${backend})
    endif()
  endforeach()
endfunction()

# add_exercise(<backend> <program> <defines exerciseFor> <parameters>): this folder's exercise.cuh,
# compiled by itself for the program.
function(add_exercise backend program for takes)
  set(exercise ${CMAKE_CURRENT_SOURCE_DIR}/exercise.cuh)
  if(for)
    set(name exerciseFor)
    set(type "void (*(*)(unsigned))(${takes})")
    set(definition "BlockSumKernel exerciseFor(unsigned block)")
  else()
    set(name exercise)
    set(type "void (*)(${takes})")
    set(definition "__global__ void exercise(${takes})")
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
  if(backend STREQUAL cpu)
    add_gpu_code(${program}_exercise_cpu ${source})
  endif()
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
  if(backend STREQUAL cpu)
    add_gpu_code(${program}_exercise_ends_cpu ${source})
  endif()
endfunction()

# add_practice(<backend> <program>): this folder's practice.cuh, the small exercises, where it has any.
function(add_practice backend program)
  set(practice ${CMAKE_CURRENT_SOURCE_DIR}/practice.cuh)
  if(EXISTS ${practice})
    set(source ${CMAKE_CURRENT_BINARY_DIR}/practice.${suffix_${backend}})
    configure_file(${WORKSHOP_DIR}/common/exercise/practice_alone.cu.in ${source} @ONLY)
    # An empty kernel uses none of its parameters. A source's options stand behind its target's.
    set(unused -Wno-unused-parameter)
    if(backend STREQUAL gpu)
      set(unused -Xcompiler=-Wno-unused-parameter)
    endif()
    set_source_files_properties(${source} PROPERTIES COMPILE_OPTIONS ${unused})
    add_kernels_of_program(${backend} ${program} practice ${source})
  endif()
endfunction()
