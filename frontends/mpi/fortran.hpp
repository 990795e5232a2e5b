// SPDX-License-Identifier: BSD-3-Clause
// How subroutines of Fortran are defined that take the place of the MPI's, and how they call the
// MPI's.
#pragma once

#include <tutti/tutti.h>

#include <cstddef>

#include "plain.hpp"
#include "types.hpp"

namespace tutti::mpi {

using Integer = MPI_Fint;
static_assert(sizeof(Integer) == sizeof(int));

// Fortran 2008 may leave out the last argument.
inline void give(Integer* error, int code) {
  if (error != nullptr) *error = code;
}

template <class Subroutine>
Subroutine* subroutine_of_mpi(const char* name) {
  return reinterpret_cast<Subroutine*>(symbol_of_fortran(name));
}

// Calls the MPI's subroutine of that name and returns its error code.
template <class... Addresses>
int called(const char* name, Addresses... addresses) {
  Integer code = MPI_SUCCESS;
  (*subroutine_of_mpi<void(Addresses..., Integer*)>(name))(addresses..., &code);
  return code;
}

// Calls a subroutine that takes a text. Compilers give its length behind all other arguments.
template <class... Addresses>
int called_with_text(const char* name, std::size_t length, Addresses... addresses) {
  Integer code = MPI_SUCCESS;
  using Subroutine = void(Addresses..., Integer*, std::size_t);
  (*subroutine_of_mpi<Subroutine>(name))(addresses..., &code, length);
  return code;
}

// Calls the MPI's subroutine of that name, which gives a name to a type.
inline int renamed(const char* subroutine, MPI_Datatype type, const Integer* handle,
                   const void* name, std::size_t length) {
  look_before_renaming(type);
  return called_with_text(subroutine, length, handle, name);
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
