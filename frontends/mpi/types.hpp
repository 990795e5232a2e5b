// SPDX-License-Identifier: BSD-3-Clause
// A type of MPI as this library must know it: how its data lie in memory, and which operators it
// has.
#pragma once

#include "job.hpp"

namespace tutti::mpi {

// Groups of types that have the same operators. `other` has those of the program only. Open MPI
// tells the integers of Fortran in `fortran` from those of C.
enum class TypeKind : std::uint8_t {
  other,
  integer,
  natural,
  fortran,
  address,
  floating,
  complex,
  logical,
  byte,
  pair
};

struct Type {
  Count size = 0, extent = 0;
  // Elements lie one behind the other and have their data in the order of the type, without holes.
  // Then they are moved from and to where they lie. It is a fact of this process alone.
  bool dense = false;
  // Elements have all their data within their extent, which begins at their address. Then an
  // operator can take elements from memory that has the same holes.
  bool compact = false;
  TypeKind kind = TypeKind::other;
};

// Makes the attribute that keeps a Type with its type.
void set_up_types();
// Returns what is known of the handle; nullptr if the MPI will refuse it, because it is null or was
// not committed.
[[nodiscard]] const Type* find_type(MPI_Datatype handle);
// Looks at a type before the program gives it another name, because types of MPI are known by name.
void look_before_renaming(MPI_Datatype handle);

}  // namespace tutti::mpi
