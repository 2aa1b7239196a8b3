# cmake --install build --component simtcc --prefix ANYWHERE: simtcc, its headers and its libraries as a
# tool of its own, with find_package(simt) for CMake.
include(GNUInstallDirs)
set(common ${CMAKE_CURRENT_SOURCE_DIR}/..)
install(TARGETS simtcc RUNTIME DESTINATION bin COMPONENT simtcc)
install(FILES $<TARGET_FILE:simt> $<TARGET_FILE:simtcc_runtime> DESTINATION lib/simtcc COMPONENT simtcc)
foreach(folder simtcc/include simt/device/include estimate/gpu_code/include)
  cmake_path(GET folder PARENT_PATH parent)
  install(DIRECTORY ${common}/${folder} DESTINATION share/simtcc/common/${parent} COMPONENT simtcc)
endforeach()
foreach(folder simt simtcc/runtime)
  cmake_path(GET folder PARENT_PATH parent)
  install(DIRECTORY ${common}/${folder} DESTINATION share/simtcc/common/${parent} COMPONENT simtcc
    FILES_MATCHING PATTERN "*.h" PATTERN verdicts EXCLUDE PATTERN benchmark EXCLUDE)
endforeach()
install(DIRECTORY ${common}/cards DESTINATION share/simtcc/common COMPONENT simtcc FILES_MATCHING PATTERN "*.json")
install(FILES ${CMAKE_CURRENT_SOURCE_DIR}/tool/simtConfig.cmake DESTINATION lib/cmake/simt COMPONENT simtcc)
install(FILES ${CMAKE_CURRENT_SOURCE_DIR}/tool/simtcc.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT simtcc)
install(DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR}/tool/example DESTINATION share/simtcc COMPONENT simtcc)
