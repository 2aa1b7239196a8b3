# The folders of common/, a target each, and for either backend.

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
# again, and on what each makes of their templates. One whole is compiled at a time: so estimate_feed,
# which takes as long as all of them, begins beside the first.
set_property(GLOBAL APPEND PROPERTY JOB_POOLS one_whole=1)
function(add_to_whole whole room)
  if(NOT TARGET ${whole})
    add_library(${whole} STATIC)
    set_target_properties(${whole} PROPERTIES JOB_POOL_COMPILE one_whole)
    if(room_COMPUTES)
      optimise_computing(${whole})
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

# Definitions for a target, where it is built.
function(define_for target)
  if(TARGET ${target})
    compiled_in(${target} target)
    target_compile_definitions(${target} PRIVATE ${ARGN})
  endif()
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
