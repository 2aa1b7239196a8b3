# Programs, and kernels compiled by themselves, for either backend.

# Sources that either compiler can compile have the suffix that it knows: nvcc, or the host's.
set(suffix_gpu cu)
set(suffix_cpu cpp)

# Sets variable to what the backend's compiler takes for the source: itself, or where it does not know
# the suffix, a file of this name that includes it. HOST: the source has no kernels of its own, so that
# the host's compiler takes it for either backend, in a quarter of nvcc's time.
function(source_for backend name source variable)
  cmake_path(ABSOLUTE_PATH source NORMALIZE)
  set(suffix ${suffix_${backend}})
  if(backend STREQUAL gpu AND "HOST" IN_LIST ARGN)
    set(suffix gpu.cpp)
  endif()
  if(NOT source MATCHES "[.](cpp|${suffix})$")
    set(wrapper ${CMAKE_CURRENT_BINARY_DIR}/${name}.${suffix})
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
  foreach(file ${files_cpu})
    cmake_path(ABSOLUTE_PATH file BASE_DIRECTORY ${WORKSHOP_DIR} NORMALIZE)
    add_gpu_code(workshop_kernels_cpu ${file})
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

# add_program(<backend> <name> <source> [HOST] [target …]) builds build/<backend>/<name> from a
# source that either compiler can compile, and links the targets: folders of common/ by name. HOST:
# the source has no kernels of its own.
function(add_program backend name source)
  cmake_parse_arguments(program "HOST" "" "" ${ARGN})
  set(target ${name}_${backend})
  if(NOT TARGET workshop_program_${backend})
    return()
  endif()
  set(host)
  if(program_HOST)
    set(host HOST)
  endif()
  source_for(${backend} ${name} ${source} source ${host})
  add_executable(${target} ${source})
  if(backend STREQUAL gpu)
    optimise(${target} -O1)  # what it measures is on the GPU
  else()
    if(program_HOST)
      optimise(${target} -O0)
      target_include_directories(${target} PRIVATE
        $<TARGET_PROPERTY:simt_kernels,INTERFACE_INCLUDE_DIRECTORIES>)
    else()
      target_link_libraries(${target} PRIVATE simt_kernels)
    endif()
  endif()
  link_rooms(${target} ${backend} program kernels ${program_UNPARSED_ARGUMENTS})
  set_target_properties(${target} PROPERTIES
    OUTPUT_NAME ${name} RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/${backend})
  add_to_target(${name} ${target})
endfunction()

# The same for one program: <program>_<part>_<backend>.
function(add_kernels_of_program backend program part source)
  if(TARGET ${program}_${backend})
    add_kernel_object(${backend} ${program}_${part} ${source} ${ARGN})
    link_rooms(${program}_${backend} ${backend} ${program}_${part})
  endif()
endfunction()
