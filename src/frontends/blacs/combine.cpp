// SPDX-License-Identifier: BSD-3-Clause
// Combines: one plan run; ranks of winners are then turned into grid coordinates.
#include "combine.hpp"

#include <algorithm>

#include "topology.hpp"

namespace tutti::blacs {
namespace {

constexpr int everyone = -1;

int destination(const Call& call, const Scope& scope, const Combine& how) {
  if (how.rdest == -1 || how.cdest == -1) return everyone;
  return rank_in(call, scope, {how.rdest, how.cdest, "RDEST", "CDEST"});
}

void run(const Call& call, Scope& scope, const Combine& how, const tutti_data& data, tutti_op op, int to,
         const tutti_locations* locations) {
  const std::int64_t bytes = elements(data) * element_bytes(data.type);
  const tutti_operation operation = to == everyone ? TUTTI_OP_ALLREDUCE : TUTTI_OP_REDUCE;
  const tutti_plan plan = plan_for(call, scope, {operation, *how.top, std::max(to, 0), bytes});
  tutti_run request{};
  request.struct_size = sizeof request;
  request.input = &data;
  request.output = &data;
  request.op = op;
  request.locations = locations;
  check(call, tutti_plan_run(plan, &request));
}

// RA holds ranks of the scope; RA and CA become coordinates.
void ranks_to_coordinates(const Grid& grid, const Scope& scope, int m, int n, const Places& places, std::int64_t ld) {
  for (std::int64_t j = 0; j < n; ++j) {
    int* rows = places.row + j * ld;
    int* columns = places.column + j * ld;
    for (std::int64_t i = 0; i < m; ++i) {
      const int rank = rows[i];
      if (&scope == &grid.row) {
        rows[i] = grid.my_row;
        columns[i] = rank;
      } else if (&scope == &grid.column) {
        columns[i] = grid.my_column;
      } else {
        rows[i] = rank / grid.columns;
        columns[i] = rank % grid.columns;
      }
    }
  }
}

void extreme(const Routine& routine, int context, const Matrix& matrix, const Places& places, const Combine& how,
             tutti_op op) {
  const Call call(routine.name, context);
  Scope& scope = scope_of(call, how.scope);
  const tutti_data data = matrix_data(call, routine, matrix);
  const int to = destination(call, scope, how);
  if (places.ldia == -1) return run(call, scope, how, data, op, to, nullptr);
  const std::int64_t ld = std::max({places.ldia, matrix.m, 1});
  // Of equal magnitudes the process at the smallest distance from the destination wins; left on all, the first one.
  const tutti_locations locations{places.row, ld, std::max(to, 0)};
  run(call, scope, how, data, op, to, &locations);
  if (to == everyone || to == scope.rank) ranks_to_coordinates(call.grid(), scope, matrix.m, matrix.n, places, ld);
}

}  // namespace

void sum(const Routine& routine, int context, const Matrix& matrix, const Combine& how) {
  const Call call(routine.name, context);
  Scope& scope = scope_of(call, how.scope);
  const tutti_data data = matrix_data(call, routine, matrix);
  run(call, scope, how, data, TUTTI_SUM, destination(call, scope, how), nullptr);
}

void largest(const Routine& routine, int context, const Matrix& matrix, const Places& places, const Combine& how) {
  extreme(routine, context, matrix, places, how, TUTTI_ABSMAX);
}

void smallest(const Routine& routine, int context, const Matrix& matrix, const Places& places, const Combine& how) {
  extreme(routine, context, matrix, places, how, TUTTI_ABSMIN);
}

}  // namespace tutti::blacs
