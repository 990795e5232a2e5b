// SPDX-License-Identifier: BSD-3-Clause
// Checks and converts the arguments that many routines share. Debug level 0 checks only values
// without any meaning (context, SCOPE, TOP, places of processes); 1, the default, checks
// everything.
#pragma once

#include <tutti/tutti.h>

#include <cstdint>
#include <optional>
#include <string>

#include "errors.hpp"

namespace tutti::blacs {

struct Routine {
  const char* name;
  tutti_type type;
};

// A general matrix, or the trapezoid of the TR routines if there is an UPLO.
struct Matrix {
  int m, n;
  void* a;
  int lda;
  std::optional<char> uplo = {};
  char diag = 0;
};

// Checks sizes, LDA and UPLO. If checks are off, a leading dimension below M counts as M.
[[nodiscard]] tutti_data matrix_data(const RoutineCall& call, const Routine& routine,
                                     const Matrix& matrix);

// Number of elements that are sent.
[[nodiscard]] std::int64_t elements(const tutti_data& data);
[[nodiscard]] std::int64_t element_bytes(tutti_type type);

// Accepts 'R', 'C', 'A' and the names of lists, in either case; anything else ends the job.
[[nodiscard]] Scope& scope_of(const RoutineCall& call, const char* scope);

// A process of the grid, and the names of both arguments for messages. rank_in returns its rank in
// the scope.
struct ProcessArgument {
  int row, column;
  const char* row_name;
  const char* column_name;
};
[[nodiscard]] int rank_in(const RoutineCall& call, const Scope& scope, const ProcessArgument& at);

[[nodiscard]] char lower(char c);
// Returns a character for messages: in quotes, or in words if it cannot be printed. It is zero
// where a C program has passed an empty text.
[[nodiscard]] std::string quoted(char c);

}  // namespace tutti::blacs
