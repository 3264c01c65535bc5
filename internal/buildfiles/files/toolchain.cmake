# A toolchain file for CMake: cmake --toolchain opari-toolchain.cmake. It names opari's compilers
# of one word, which `opari install --wrappers DIR` makes. Variables choose others:
# cmake --toolchain ... -DCMAKE_C_COMPILER=opari-clang
foreach(_opari IN ITEMS C=opari-gcc CXX=opari-g++ Fortran=opari-gfortran)
  string(REPLACE "=" ";" _opari "${_opari}")
  list(GET _opari 0 _opari_language)
  list(GET _opari 1 _opari_compiler)
  if(NOT DEFINED CMAKE_${_opari_language}_COMPILER)
    set(CMAKE_${_opari_language}_COMPILER "${_opari_compiler}")
  endif()
endforeach()
