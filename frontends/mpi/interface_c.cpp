// SPDX-License-Identifier: BSD-3-Clause
// The functions of C that this library takes over.
#include "forms.hpp"
#include "types.hpp"

using namespace tutti::mpi;

extern "C" {

TUTTI_API int MPI_Barrier(MPI_Comm comm) {
  return serve(
      MpiOperation::barrier, comm, [](const KnownCommunicator& with) { return barrier(with); },
      [&] { return plain.Barrier(comm); });
}

TUTTI_API int MPI_Type_set_name(MPI_Datatype type, const char* name) {
  find_mpi();
  look_before_renaming(type);
  return plain.Type_set_name(type, name);
}

#define COUNT int
#define PLACE int
#define FORM(Name) Name
#define FORM_OF_MPI(Name) MPI_##Name
#include "forms.inc"
#undef COUNT
#undef PLACE
#undef FORM
#undef FORM_OF_MPI

#if MPI_VERSION >= 4
#define COUNT MPI_Count
#define PLACE MPI_Aint
#define FORM(Name) Name##_c
#define FORM_OF_MPI(Name) MPI_##Name##_c
#include "forms.inc"
#endif

}  // extern "C"
