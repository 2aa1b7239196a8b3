# The code that a GPU compiler makes of kernels, for estimates: in the program that has the kernels.
find_program(WORKSHOP_GPU_COMPILER NAMES clang++ clang++-20 clang++-19 clang++-18 clang++-17 clang++-16
  clang++-15 clang++-14 DOC "clang++: makes the code of a GPU that estimates need")
mark_as_advanced(WORKSHOP_GPU_COMPILER)

# Loops as ptxas would find them (unrolled as nvcc unrolls, by four where it is not known how often they
# turn, be it dear to count, with addresses made of indices in each turn), functions in line as nvcc has them, ifs left to ifs.cpp
# (nvcc takes those that no turn changes out of loops first), addresses in shared memory of 32 bits.
set(WORKSHOP_GPU_CODE_FLAGS -x cuda --cuda-device-only --cuda-gpu-arch=sm_80 -nocudainc -nocudalib
  -Xclang -target-feature -Xclang +ptx75 -std=c++20 -O3 -mllvm -unroll-threshold=500
  -mllvm -inline-threshold=5000 -mllvm -unroll-partial-threshold=210 -mllvm -phi-node-folding-threshold=1
  -mllvm -two-entry-phi-node-folding-threshold=4 -mllvm -disable-lsr -mllvm -unroll-max-count=4
  -mllvm -scev-cheap-expansion-budget=100 -mllvm -bonus-inst-threshold=4
  -fcuda-short-ptr -mllvm -nvptx-short-ptr -gline-tables-only -w)
# … and further where threads have arrays in memory, if that puts some into registers: first with one flag
# in place of its like, then with the other beside it. (clang++ takes the inner one of two loops, of which a
# pragma wants all turns, in parts before it knows how many turns it has.)
set(WORKSHOP_GPU_CODE_FURTHER "-unroll-threshold=3000 -unroll-allow-remainder=false")
set(WORKSHOP_GPU_CODE_INCLUDES
  -include ${WORKSHOP_DIR}/common/estimate/gpu_code/include/device_words.h
  -I${WORKSHOP_DIR}/common/estimate/gpu_code/include)

# A clang++ may be there that knows no GPU: Apple's, or one that was built without.
if(WORKSHOP_GPU_COMPILER)
  set(tried ${CMAKE_BINARY_DIR}/CMakeFiles/gpu_code_tried)
  file(CONFIGURE OUTPUT ${tried}.cu CONTENT "__global__ void kernel(int* a) { *a = 1; }\n")
  execute_process(COMMAND ${WORKSHOP_GPU_COMPILER} ${WORKSHOP_GPU_CODE_FLAGS} ${WORKSHOP_GPU_CODE_INCLUDES}
    -S -o ${tried}.ptx ${tried}.cu RESULT_VARIABLE failed OUTPUT_QUIET ERROR_FILE ${tried}.log)
  if(failed)
    message(WARNING "${WORKSHOP_GPU_COMPILER} makes no code of a GPU, see ${tried}.log: programs count and "
      "find faults, and estimate no times. Install clang++ (./common/setup.sh), or name another: "
      "-DWORKSHOP_GPU_COMPILER=PATH")
    set(WORKSHOP_GPU_COMPILER OFF)
  endif()
else()
  message(STATUS "No clang++: programs count and find faults, and estimate no times")
endif()

# As simtcc does for own programs where a CUDA Toolkit is; records say what that changes.
option(WORKSHOP_GPU_CODE_BY_NVCC "Estimates are made from what nvcc and ptxas make of the workshop's kernels" OFF)
mark_as_advanced(WORKSHOP_GPU_CODE_BY_NVCC)

# add_gpu_code(<target> <source>): the target, which compiles the source for the executor, has the
# GPU's code of its kernels, too. A source without such code, or that does not compile, has none.
function(add_gpu_code target source)
  if(NOT WORKSHOP_GPU_COMPILER OR NOT TARGET ${target})
    return()
  endif()
  cmake_path(ABSOLUTE_PATH source NORMALIZE)
  cmake_path(GET source STEM stem)
  string(SHA1 id "${target} ${source}")
  string(SUBSTRING ${id} 0 12 id)
  set(name ${CMAKE_CURRENT_BINARY_DIR}/${target}.${stem}.${id})
  set(includes $<TARGET_PROPERTY:${target},INCLUDE_DIRECTORIES>)
  set(definitions $<TARGET_PROPERTY:${target},COMPILE_DEFINITIONS>)
  set(by_nvcc)  # not the executor's headers, as nvcc has its own
  if(WORKSHOP_GPU_CODE_BY_NVCC)
    set(by_nvcc COMMAND simtcc -ptx --gpu-compiler=nvcc -x cu -std=c++20 -DGPU_BACKEND -I${WORKSHOP_DIR}/common
      ${source} -o ${name}.ptx COMMAND grep -q "^//by nvcc and ptxas" ${name}.ptx)
  endif()
  set(script ${WORKSHOP_DIR}/common/cmake/gpu_code.sh)
  add_custom_command(OUTPUT ${name}.ptx DEPENDS ${source} ${script} DEPFILE ${name}.d VERBATIM
    COMMENT "GPU code of ${stem}"
    COMMAND ${script} ${name} "${WORKSHOP_GPU_CODE_FURTHER}" ${WORKSHOP_GPU_COMPILER}
      ${WORKSHOP_GPU_CODE_FLAGS} ${WORKSHOP_GPU_CODE_INCLUDES} "$<$<BOOL:${includes}>:-I$<JOIN:${includes},;-I>>"
      "$<$<BOOL:${definitions}>:-D$<JOIN:${definitions},;-D>>" ${source} ${by_nvcc} COMMAND_EXPAND_LISTS)
  set(embedded ${name}.cpp)
  file(CONFIGURE OUTPUT ${embedded} @ONLY CONTENT
"// Made by CMake: the code of a GPU for @source@.
extern \"C\" { extern const char workshop_ptx_@id@; }
__asm__(\".pushsection workshop_ptx, \\\"a\\\"\\n.globl workshop_ptx_@id@\\nworkshop_ptx_@id@:\\n\"
        \".incbin \\\"@name@.ptx\\\"\\n.byte 0\\n.popsection\");
")
  set_source_files_properties(${embedded} PROPERTIES OBJECT_DEPENDS ${name}.ptx
    SKIP_UNITY_BUILD_INCLUSION ON SKIP_PRECOMPILE_HEADERS ON)
  target_sources(${target} PRIVATE ${embedded})
  get_target_property(type ${target} TYPE)
  if(type STREQUAL STATIC_LIBRARY)  # nobody asks for it by name
    target_link_options(${target} INTERFACE LINKER:-u,workshop_ptx_${id})
  endif()
endfunction()
