// SPDX-License-Identifier: BSD-3-Clause
// Checks and converts the arguments that many routines share (arguments.hpp).
#include "arguments.hpp"

#include <algorithm>

#include "levels.hpp"

namespace tutti::blacs {
namespace {

void check_size(const RoutineCall& call, const char* name, int value) {
  if (value < 0) fail(call, "argument '{}' is {}, which is negative", name, value);
}

void check_coordinate(const RoutineCall& call, const char* name, int value, int limit,
                      const char* what) {
  if (value < 0 || value >= limit)
    fail(call, "argument '{}' is {} but the grid has {} {}", name, value, limit, what);
}

void check_matrix(const RoutineCall& call, const Matrix& matrix) {
  check_size(call, "M", matrix.m);
  check_size(call, "N", matrix.n);
  // Columns must not overlap; with fewer than two columns the leading dimension means nothing.
  if (matrix.n > 1 && matrix.lda < matrix.m) {
    fail(call, "argument 'LDA' is {} but must be at least M, which is {}", matrix.lda, matrix.m);
  }
  if (!matrix.uplo) return;
  if (lower(*matrix.uplo) != 'u' && lower(*matrix.uplo) != 'l')
    fail(call, "argument 'UPLO' is {}, neither 'U' nor 'L'", quoted(*matrix.uplo));
  if (lower(matrix.diag) != 'u' && lower(matrix.diag) != 'n')
    fail(call, "argument 'DIAG' is {}, neither 'U' nor 'N'", quoted(matrix.diag));
}

}  // namespace

char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

std::string quoted(char c) {
  if (c == 0) return "an empty text";
  const bool printable = c >= ' ' && c <= '~';
  return printable ? fmt::format("'{}'", c)
                   : fmt::format("the character with number {}", static_cast<unsigned char>(c));
}

tutti_data matrix_data(const RoutineCall& call, const Routine& routine, const Matrix& matrix) {
  if (levels.debug >= 1) check_matrix(call, matrix);
  const int m = std::max(matrix.m, 0);
  const int n = std::max(matrix.n, 0);
  // Without elements the address means nothing, but the leading dimension must still be legal.
  tutti_data data = tutti_matrix(matrix.a, m, n, std::max({matrix.lda, m, 1}), routine.type);
  if (!matrix.uplo) {
    if (n == 1) data.shape = TUTTI_CONTIGUOUS;  // the cheapest shape
    return data;
  }
  data.shape = TUTTI_TRAPEZOID;
  data.uplo = lower(*matrix.uplo) == 'u' ? 'U' : 'L';
  data.diag = lower(matrix.diag) == 'u' ? 'U' : 'N';
  return data;
}

std::int64_t elements(const tutti_data& data) {
  const std::int64_t whole = data.m * data.n;
  if (data.shape != TUTTI_TRAPEZOID) return whole;
  const std::int64_t side = std::min(data.m, data.n);
  return whole - side * (side - 1) / 2 - (data.diag == 'U' ? side : 0);
}

std::int64_t element_bytes(tutti_type type) {
  switch (type) {
    case TUTTI_DOUBLE:
    case TUTTI_COMPLEX_FLOAT:
      return 8;
    case TUTTI_COMPLEX_DOUBLE:
      return 16;
    default:
      return 4;
  }
}

Scope& scope_of(const RoutineCall& call, const char* scope) {
  require(call, "SCOPE", scope);
  switch (lower(*scope)) {
    case 'r':
      return call.grid().row;
    case 'c':
      return call.grid().column;
    case 'a':
      return call.grid().all;
    default:
      break;
  }
  const auto list = call.grid().lists.find(lower(*scope));
  if (list != call.grid().lists.end()) return list->second;
  fail(call, "argument 'SCOPE' is {}, not one of {}", quoted(*scope), dialect.scopes);
}

namespace {

// Returns the rank of a process in the scope of a list.
int rank_in_list(const RoutineCall& call, const Scope& scope, const ProcessArgument& at) {
  const int number = at.row * call.grid().columns + at.column;
  const auto found = std::find(scope.listed.begin(), scope.listed.end(), number);
  if (found != scope.listed.end()) return static_cast<int>(found - scope.listed.begin());
  fail(call,
       "arguments '{}' and '{}' are {} and {}, a process that is not in the list of the scope",
       at.row_name, at.column_name, at.row, at.column);
}

}  // namespace

int rank_in(const RoutineCall& call, const Scope& scope, const ProcessArgument& at) {
  const Grid& grid = call.grid();
  const bool needs_row = &scope != &grid.row;
  const bool needs_column = &scope != &grid.column;
  if (needs_row) check_coordinate(call, at.row_name, at.row, grid.rows, "rows");
  if (needs_column) check_coordinate(call, at.column_name, at.column, grid.columns, "columns");
  if (!scope.listed.empty()) return rank_in_list(call, scope, at);
  if (!needs_row) return at.column;
  if (!needs_column) return at.row;
  return at.row * grid.columns + at.column;
}

}  // namespace tutti::blacs
