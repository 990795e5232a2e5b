// SPDX-License-Identifier: BSD-3-Clause
// Runs a combine as one plan, and then turns the ranks of winners into grid coordinates
// (combine.hpp).
#include "combine.hpp"

#include <algorithm>
#include <cstdint>

#include "dialect.hpp"
#include "levels.hpp"
#include "topology.hpp"
#include "watch.hpp"

namespace tutti::blacs {
namespace {

int destination(const RoutineCall& call, const Scope& scope, const Combine& how) {
  require(call, "TOP", how.top);
  if (how.on_all) return everyone;
  return rank_in(call, scope, {how.rdest, how.cdest, "RDEST", "CDEST"});
}

void run(const RoutineCall& call, Scope& scope, const Combine& how, const tutti_data& data,
         tutti_op op, Kind kind, int to, const tutti_locations* locations = nullptr) {
  const std::int64_t bytes = elements(data) * element_bytes(data.type);
  const tutti_operation operation = to == everyone ? TUTTI_OP_ALLREDUCE : TUTTI_OP_REDUCE;
  const tutti_plan plan =
      plan_for(call, scope, {operation, *how.top, std::max(to, 0), bytes, kind});
  count_scoped(call.grid(), scope, std::max(to, 0));
  tutti_run request{};
  request.struct_size = sizeof request;
  request.input = &data;
  request.output = &data;
  request.op = op;
  request.locations = locations;
  check(call, tutti_plan_run(plan, &request));
}

// Processes of a whole grid are numbered row by row. A division costs more than the rest of a
// combine, so the rank is multiplied by the reciprocal. The product is exact as long as rank *
// grid.columns < 2^32.
void ranks_in_grid(const Grid& grid, int m, int* __restrict rows, int* __restrict columns) {
  const auto width = static_cast<std::uint32_t>(grid.columns);
  const std::uint64_t reciprocal = (std::uint64_t{1} << 32) / width + 1;
  for (int i = 0; i < m; ++i) {
    const auto rank = static_cast<std::uint32_t>(rows[i]);
    const auto row = static_cast<std::uint32_t>(rank * reciprocal >> 32);
    rows[i] = static_cast<int>(row);
    columns[i] = static_cast<int>(rank - row * width);
  }
}

// A scope whose processes lie in a line: in a row of the grid a rank is a column number, in a
// column a row number. In other scopes, ranks are put into RA first.
enum class Line : std::uint8_t { none, row, column };

Line line_of(const Grid& grid, const Scope& scope) {
  const bool is_whole = &scope == &grid.all;
  if (&scope == &grid.row || (is_whole && grid.rows == 1)) return Line::row;
  return &scope == &grid.column || (is_whole && grid.columns == 1) ? Line::column : Line::none;
}

// Replaces ranks in the scope of a list by numbers in the grid.
void ranks_to_numbers(const Scope& scope, int m, int* ranks) {
  if (scope.listed.empty()) return;
  for (int i = 0; i < m; ++i) ranks[i] = scope.listed[static_cast<std::size_t>(ranks[i])];
}

// Replaces ranks of the scope by coordinates in RA and CA.
void ranks_to_coordinates(const Grid& grid, const Scope& scope, int m, int n, const Places& places,
                          std::int64_t ld) {
  const Line line = line_of(grid, scope);
  for (std::int64_t j = 0; j < n; ++j) {
    int* rows = places.row + j * ld;
    int* columns = places.column + j * ld;
    if (line == Line::row) {
      std::fill_n(rows, m, grid.my_row);
    } else if (line == Line::column) {
      std::fill_n(columns, m, grid.my_column);
    } else {
      ranks_to_numbers(scope, m, rows);
      ranks_in_grid(grid, m, rows, columns);
    }
  }
}

void check_places(const RoutineCall& call, const Matrix& matrix, const Places& places) {
  if (dialect.low_ldia != LowLdia::is_wrong || levels.debug < 1) return;
  if (matrix.n > 1 && places.ldia < matrix.m)
    fail(call, "argument 'LDIA' is {} but must be at least M, which is {}", places.ldia, matrix.m);
}

void extreme(const Routine& routine, int context, const Matrix& matrix, const Places& places,
             const Combine& how, Deed deed) {
  const RoutineCall call(routine.name, context);
  Scope& scope = scope_of(call, how.scope);
  const tutti_data data = matrix_data(call, routine, matrix);
  const int to = destination(call, scope, how);
  const tutti_op op = deed == Deed::largest ? TUTTI_ABSMAX : TUTTI_ABSMIN;
  const auto intent = [&] {
    return Intent{deed, &scope, &data, *how.top, to, {.places = places.wanted}};
  };
  if (!places.wanted)
    return watched(call, intent, [&] { run(call, scope, how, data, op, Kind::magnitude, to); });
  check_places(call, matrix, places);
  const std::int64_t ld = std::max({places.ldia, matrix.m, 1});
  // Among equal magnitudes, the process with the smallest distance from the destination wins, or
  // the first process if all get the result.
  const Line line = line_of(call.grid(), scope);
  const tutti_locations locations{line == Line::row ? places.column : places.row, ld,
                                  std::max(to, 0)};
  watched(call, intent, [&] { run(call, scope, how, data, op, Kind::located, to, &locations); });
  if (to == everyone || to == scope.rank)
    ranks_to_coordinates(call.grid(), scope, matrix.m, matrix.n, places, ld);
}

}  // namespace

bool combine_vectors(const RoutineCall& call, Scope& scope, const Combine& how,
                     const VectorOfMatrix& data, tutti_op op) {
  const int to = destination(call, scope, how);
  const auto intent = [&] { return Intent{Deed::by_user, &scope, &data.matrix, *how.top, to}; };
  watched(call, intent, [&] { run(call, scope, how, data.vector, op, Kind::by_user, to); });
  return to == everyone || to == scope.rank;
}

void sum(const Routine& routine, int context, const Matrix& matrix, const Combine& how) {
  const RoutineCall call(routine.name, context);
  Scope& scope = scope_of(call, how.scope);
  const tutti_data data = matrix_data(call, routine, matrix);
  const int to = destination(call, scope, how);
  const auto intent = [&] { return Intent{Deed::sum, &scope, &data, *how.top, to}; };
  watched(call, intent, [&] { run(call, scope, how, data, TUTTI_SUM, Kind::plain, to); });
}

void largest(const Routine& routine, int context, const Matrix& matrix, const Places& places,
             const Combine& how) {
  extreme(routine, context, matrix, places, how, Deed::largest);
}

void smallest(const Routine& routine, int context, const Matrix& matrix, const Places& places,
              const Combine& how) {
  extreme(routine, context, matrix, places, how, Deed::smallest);
}

}  // namespace tutti::blacs
