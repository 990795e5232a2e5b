# SPDX-License-Identifier: BSD-3-Clause
# Sets TUTTI_HAS_FORTRAN if the Fortran sources are built: the module, apps/mvmult and their tests.
# The Fortran entry points of the BLACS, BSPlib and PVM are C++ and always built.
include(CheckLanguage)
option(TUTTI_FORTRAN "Build what is written in Fortran, where there is a compiler" ON)
set(TUTTI_HAS_FORTRAN FALSE)
if(TUTTI_FORTRAN)
  if(NOT CMAKE_Fortran_COMPILER)
    unset(CMAKE_Fortran_COMPILER CACHE)  # CMake would not look again for a missing compiler
  endif()
  check_language(Fortran)
  if(CMAKE_Fortran_COMPILER)
    enable_language(Fortran)
    set(TUTTI_HAS_FORTRAN TRUE)
  endif()
endif()
if(TUTTI_HAS_FORTRAN)
  tutti_built(Fortran)
elseif(TUTTI_FORTRAN)
  tutti_left_out(Fortran "the Fortran module and apps/mvmult: no Fortran compiler was found (package gfortran)")
else()
  tutti_left_out(Fortran "the Fortran module and apps/mvmult: TUTTI_FORTRAN is OFF")
endif()
