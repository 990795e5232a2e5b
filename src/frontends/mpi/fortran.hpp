// SPDX-License-Identifier: BSD-3-Clause
// How subroutines of Fortran are defined that take the place of the MPI's.
#pragma once

#include <tutti/tutti.h>

#include "plain.hpp"

namespace tutti::mpi {

using Integer = MPI_Fint;
static_assert(sizeof(Integer) == sizeof(int));

// Fortran 2008 may leave out the last argument.
inline void give(Integer* error, int code) {
  if (error != nullptr) *error = code;
}

}  // namespace tutti::mpi

// Defines a subroutine in the spellings of compilers, and as the module mpi_f08 calls it.
#define TUTTI_OPEN(...) __VA_ARGS__
#define TUTTI_ALIAS(spelling, first, parameters) \
  TUTTI_API void spelling(TUTTI_OPEN parameters) __attribute__((alias(#first)));
#define TUTTI_SUBROUTINE(lower, UPPER, parameters, call) \
  TUTTI_API void lower##_(TUTTI_OPEN parameters) {       \
    give(error, TUTTI_OPEN call);                        \
  }                                                      \
  TUTTI_ALIAS(lower, lower##_, parameters)               \
  TUTTI_ALIAS(lower##__, lower##_, parameters)           \
  TUTTI_ALIAS(UPPER, lower##_, parameters)               \
  TUTTI_ALIAS(lower##_f08_, lower##_, parameters)
