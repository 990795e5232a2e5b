// SPDX-License-Identifier: BSD-3-Clause
// The arguments that many routines share, and what is checked about them. TUTTI_BLACS_DEBUG: 0
// checks only what has no meaning at all (context, SCOPE, TOP), 1 (default) everything.
#pragma once

#include <tutti/tutti.h>

#include <cstdint>

#include "errors.hpp"
#include "state.hpp"

namespace tutti::blacs {

struct Routine {
  const char* name;
  tutti_type type;
};

// A general matrix, or with uplo != 0 the trapezoid of the TR routines.
struct Matrix {
  int m, n;
  void* a;
  int lda;
  char uplo = 0;
  char diag = 0;
};

// Checks sizes, LDA and UPLO; unchecked, a leading dimension below M counts as M.
[[nodiscard]] tutti_data matrix_data(const RoutineCall& call, const Routine& routine,
                                     const Matrix& matrix);

// Elements that travel.
[[nodiscard]] std::int64_t elements(const tutti_data& data);
[[nodiscard]] std::int64_t element_bytes(tutti_type type);

// 'R', 'C' or 'A' in either case; anything else ends the job.
[[nodiscard]] Scope& scope_of(const RoutineCall& call, const char* scope);

// The rank in `scope` of a process of the grid. Names of the arguments go into the message.
struct Coordinates {
  int row, column;
  const char* row_name;
  const char* column_name;
};
[[nodiscard]] int rank_in(const RoutineCall& call, const Scope& scope, const Coordinates& at);

[[nodiscard]] char lower(char c);

}  // namespace tutti::blacs
