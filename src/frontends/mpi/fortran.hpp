// SPDX-License-Identifier: BSD-3-Clause
// How subroutines of Fortran are defined that take the place of the MPI's, and how they call those.
#pragma once

#include <dlfcn.h>
#include <tutti/tutti.h>

#include <cstddef>

#include "plain.hpp"

namespace tutti::mpi {

using Integer = MPI_Fint;
static_assert(sizeof(Integer) == sizeof(int));

// Fortran 2008 may leave out the last argument.
inline void give(Integer* error, int code) {
  if (error != nullptr) *error = code;
}

template <class Subroutine>
Subroutine* subroutine_of_mpi(const char* name) {
  return reinterpret_cast<Subroutine*>(::dlsym(RTLD_NEXT, name));
}

// Calls the MPI's subroutine of that name and returns its error code.
template <class... Addresses>
int called(const char* name, Addresses... addresses) {
  Integer code = MPI_SUCCESS;
  (*subroutine_of_mpi<void(Addresses..., Integer*)>(name))(addresses..., &code);
  return code;
}

// Calls the MPI's mpi_file_open by the name that it has in a module. `length` is that of the text
// `file_name`, which compilers give behind all other arguments.
inline int file_opened(const char* name, const void* comm, const void* file_name, const void* mode,
                       const void* info, void* file, std::size_t length) {
  Integer code = MPI_SUCCESS;
  using Subroutine =
      void(const void*, const void*, const void*, const void*, void*, Integer*, std::size_t);
  (*subroutine_of_mpi<Subroutine>(name))(comm, file_name, mode, info, file, &code, length);
  return code;
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
