# Configures the repository where something is missing, and looks for what it says then.
# Usage: cmake -D SOURCE=<repository> -D WORK=<folder> -D GENERATOR=<CMake's> -P configure_test.cmake
set(ENV{http_proxy} http://127.0.0.1:9)  # no network
set(ENV{https_proxy} http://127.0.0.1:9)

# expect(<case> <exit code> <regex> <cmake arguments>...)
function(expect case code regex)
  file(REMOVE_RECURSE ${WORK}/${case})
  execute_process(COMMAND ${CMAKE_COMMAND} -S ${SOURCE} -B ${WORK}/${case} -G ${GENERATOR} -DWORKSHOP_GPU=OFF
    -DCMAKE_DISABLE_FIND_PACKAGE_MPI=ON  # a quarter of the time of each
    ${ARGN}
    RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
  string(REGEX REPLACE "[ \n]+" " " output "${output}")
  if(NOT result EQUAL ${code})
    message(SEND_ERROR "${case}: exit code ${result}, expected ${code}: ${output}")
  endif()
  if(NOT output MATCHES "${regex}")
    message(SEND_ERROR "${case}: '${regex}' is not in: ${output}")
  endif()
  file(REMOVE_RECURSE ${WORK}/${case})
endfunction()

set(without -DCMAKE_DISABLE_FIND_PACKAGE_)
expect(boost 0 "No Boost.Context.*only lesson 01.*apt-get install libboost-context-dev" ${without}Boost=ON)
expect(libdw 0 "No libdw.*no lines and no names.*apt-get install libdw-dev" -DSIMT_LIBDW=OFF)
expect(gtest 0 "No GoogleTest.*no tests are built.*apt-get install libgtest-dev" ${without}GTest=ON)
expect(cli11 1 "CLI11, fmt and nlohmann-json are needed.*apt-get install libcli11-dev" ${without}CLI11=ON)
expect(fmt 1 "CLI11, fmt and nlohmann-json are needed.*libfmt-dev" ${without}fmt=ON)
expect(json 1 "CLI11, fmt and nlohmann-json are needed.*nlohmann-json3-dev" ${without}nlohmann_json=ON)
expect(openmp 0 "No OpenMP: lesson 01 uses one core" ${without}OpenMP=ON)
set(ENV{PATH} /usr/bin:/bin)
unset(ENV{CUDACXX})
if(NOT EXISTS /usr/bin/nvcc)  # a folder that cannot be ignored
  file(WRITE ${WORK}/ignore.cmake "set(CMAKE_IGNORE_PATH /usr/local/cuda/bin /opt/cuda/bin "
    "/usr/local/bin CACHE STRING \"\")")
  expect(nvcc 0 "No CUDA compiler .nvcc.: only the cpu backend is built" -DWORKSHOP_GPU=ON
    -C ${WORK}/ignore.cmake)
endif()
expect(named 1 "/no/such/nvcc does not exist" -DWORKSHOP_GPU=ON
  -DCMAKE_CUDA_COMPILER=/no/such/nvcc)
set(ENV{CUDACXX} /no/such/compiler)
expect(cudacxx 1 "CUDACXX: /no/such/compiler does not exist" -DWORKSHOP_GPU=ON)
unset(ENV{CUDACXX})
file(WRITE ${WORK}/nvcc "#!/bin/sh\necho 'unsupported GNU version' >&2\nexit 1\n")
file(CHMOD ${WORK}/nvcc PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE)
expect(host 0 "compiles nothing here.*host compiler is chosen by -DCMAKE_CUDA_HOST_COMPILER"
  -DWORKSHOP_GPU=ON -DWORKSHOP_NVCC=${WORK}/nvcc)
file(WRITE ${WORK}/nvcc_11 "#!/bin/sh\necho 'Cuda compilation tools, release 11.8, V11.8.89'\n")
file(CHMOD ${WORK}/nvcc_11 PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE)
expect(old 0 "nvcc_11 is of CUDA 11.8, and 12.4 or later is needed: only the cpu backend is built"
  -DWORKSHOP_GPU=ON -DWORKSHOP_NVCC=${WORK}/nvcc_11)
expect(old_named 0 "nvcc_11 is of CUDA 11.8, and 12.4 or later" -DWORKSHOP_GPU=ON
  -DCMAKE_CUDA_COMPILER=${WORK}/nvcc_11)
# A compiler in the PATH comes before /usr/local/cuda, and the environment's before both.
file(MAKE_DIRECTORY ${WORK}/path)
file(COPY ${WORK}/nvcc DESTINATION ${WORK}/path)
set(ENV{PATH} ${WORK}/path:/usr/bin:/bin)
expect(in_path 0 "${WORK}/path/nvcc compiles nothing here" -DWORKSHOP_GPU=ON)
set(ENV{CUDACXX} ${WORK}/nvcc)
expect(in_environment 0 "${WORK}/nvcc compiles nothing here" -DWORKSHOP_GPU=ON)

# Not among the sources.
file(MAKE_DIRECTORY ${WORK}/in_source)
foreach(name CMakeLists.txt common)
  file(CREATE_LINK ${SOURCE}/${name} ${WORK}/in_source/${name} SYMBOLIC)
endforeach()
set(SOURCE ${WORK}/in_source)
execute_process(COMMAND ${CMAKE_COMMAND} -S ${SOURCE} -B ${SOURCE} -G ${GENERATOR}
  RESULT_VARIABLE result ERROR_VARIABLE error OUTPUT_QUIET)
if(result EQUAL 0 OR NOT error MATCHES "Build in a folder of its own")
  message(SEND_ERROR "in_source: exit code ${result}: ${error}")
endif()
file(REMOVE_RECURSE ${WORK})
