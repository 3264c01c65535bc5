# find_package(opari) for CMake: the command opari_instrument(TARGET...).
#
# It instruments what these targets compile with OpenMP on, and links the measurement library into
# those of them that are programs or shared libraries. OPARI_FLAGS in the environment has options.

if(CMAKE_VERSION VERSION_LESS 3.21)
  set(opari_FOUND FALSE)
  set(opari_NOT_FOUND_MESSAGE "opari_instrument needs CMake 3.21 or newer")
  return()
endif()

get_filename_component(_opari_prefix "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
find_program(OPARI_EXECUTABLE opari HINTS "${_opari_prefix}/bin")
unset(_opari_prefix)
if(NOT OPARI_EXECUTABLE)
  set(opari_FOUND FALSE)
  set(opari_NOT_FOUND_MESSAGE "the program opari is missing; set OPARI_EXECUTABLE to its path")
  return()
endif()

# CMake has no launcher for the linker of Fortran, so such a link gets the library by name.
function(_opari_fortran_libraries out)
  if(NOT DEFINED CACHE{OPARI_FORTRAN_LIBRARIES})
    execute_process(
      COMMAND "${OPARI_EXECUTABLE}" config --libs --fortran
      OUTPUT_VARIABLE words RESULT_VARIABLE code ERROR_VARIABLE message
      OUTPUT_STRIP_TRAILING_WHITESPACE)
    if(NOT code EQUAL 0)
      message(FATAL_ERROR "opari config --libs --fortran: ${message}")
    endif()
    separate_arguments(words UNIX_COMMAND "${words}")
    set(OPARI_FORTRAN_LIBRARIES "${words}" CACHE INTERNAL "opari's library for Fortran programs")
  endif()
  set(${out} "${OPARI_FORTRAN_LIBRARIES}" PARENT_SCOPE)
endfunction()

function(opari_instrument)
  if(ARGC EQUAL 0)
    message(FATAL_ERROR "opari_instrument: no target is named")
  endif()
  foreach(target IN LISTS ARGN)
    if(NOT TARGET ${target})
      message(FATAL_ERROR "opari_instrument: ${target} is no target")
    endif()
    # A launcher that is there already, such as ccache, runs opari.
    foreach(language IN ITEMS C CXX Fortran)
      set_property(TARGET ${target} APPEND PROPERTY
        ${language}_COMPILER_LAUNCHER "${OPARI_EXECUTABLE}" cc)
    endforeach()
    foreach(language IN ITEMS C CXX)
      set_property(TARGET ${target} APPEND PROPERTY
        ${language}_LINKER_LAUNCHER "${OPARI_EXECUTABLE}" cc)
    endforeach()
    get_property(languages GLOBAL PROPERTY ENABLED_LANGUAGES)
    get_target_property(type ${target} TYPE)
    if("Fortran" IN_LIST languages AND type MATCHES "^(EXECUTABLE|SHARED_LIBRARY)$")
      _opari_fortran_libraries(libraries)
      foreach(word IN LISTS libraries)
        set_property(TARGET ${target} APPEND PROPERTY
          LINK_LIBRARIES "$<$<LINK_LANGUAGE:Fortran>:${word}>")
      endforeach()
    endif()
  endforeach()
endfunction()
