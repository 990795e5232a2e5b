// SPDX-License-Identifier: BSD-3-Clause
// The collectives as templates over their forms: C counts in int, the forms with large counts in
// MPI_Count. `theirs` is the function of the MPI.
#pragma once

#include "collectives.hpp"
#include "serve.hpp"

namespace tutti::mpi {

// A list of one form as Numbers.
inline Numbers numbers(const int* list) {
  return Numbers(list);
}
template <class Wide>
Numbers numbers(const Wide* list) {
  static_assert(sizeof(Wide) == sizeof(Count));
  return Numbers(reinterpret_cast<const Count*>(list));
}

template <class List, class Places>
BlockList blocks(const void* address, const List* counts, const Places* places,
                 const MPI_Datatype& type) {
  return {address, numbers(counts), numbers(places), &type, BlockList::Types::one};
}
template <class List, class Places>
BlockList typed_blocks(const void* address, const List* counts, const Places* places,
                       const MPI_Datatype* types) {
  return {address, numbers(counts), numbers(places), types, BlockList::Types::each};
}

}  // namespace tutti::mpi
