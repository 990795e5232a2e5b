// SPDX-License-Identifier: BSD-3-Clause
// Element-wise combines of the BLACS: the sum, and the largest or smallest magnitude with or
// without the process it came from.
#pragma once

#include "arguments.hpp"

namespace tutti::blacs {

struct Combine {
  const char* scope;
  const char* top;
  int rdest, cdest;
  bool on_all;  // every process gets the result
};

// RA and CA with their leading dimension. If they are not wanted, the pointers may be anything.
struct Places {
  int* row;
  int* column;
  int ldia;
  bool wanted = true;
};

// A matrix, and its elements in one piece.
struct VectorOfMatrix {
  const tutti_data& matrix;
  const tutti_data& vector;
};
// Combines by any operator on whole vectors, which travel in one piece. Returns true if this
// process has the result.
[[nodiscard]] bool combine_vectors(const RoutineCall& call, Scope& scope, const Combine& how,
                                   const VectorOfMatrix& data, tutti_op op);

void sum(const Routine& routine, int context, const Matrix& matrix, const Combine& how);
void largest(const Routine& routine, int context, const Matrix& matrix, const Places& places,
             const Combine& how);
void smallest(const Routine& routine, int context, const Matrix& matrix, const Places& places,
              const Combine& how);

}  // namespace tutti::blacs
