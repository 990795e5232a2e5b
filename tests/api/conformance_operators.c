/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Tests operators that a program makes, on elements and on whole vectors, and the winner with its
 * place.
 */
#include <string.h>
#include <tutti/tutti.h>
#include <tutti/tutti_runtime.h>

#include "conformance.h"

static void compose(void* result, const void* left, const void* right, int64_t count, void* user) {
  (void)user;
  for (int64_t i = 0; i < count; ++i) { /* x -> a*x + b as (a, b) modulo 2^32: not commutative */
    const uint64_t l = ((const uint64_t*)left)[i], r = ((const uint64_t*)right)[i];
    const uint32_t la = (uint32_t)(l >> 32), lb = (uint32_t)l, ra = (uint32_t)(r >> 32),
                   rb = (uint32_t)r;
    ((uint64_t*)result)[i] = (uint64_t)(la * ra) << 32 | (uint32_t)(la * rb + lb);
  }
}

void operators(void) {
  tutti_op op;
  GOOD(tutti_op_create(TUTTI_INT64, compose, 0, NULL, &op));
  uint64_t mine = (uint64_t)(2 * me + 3) << 32 | (uint64_t)(me + 1), all = 0, wanted = 0;
  const tutti_data from = tutti_array(&mine, 1, TUTTI_INT64),
                   to = tutti_array(&all, 1, TUTTI_INT64);
  GOOD(tutti_allreduce(tutti_world(), &from, &to, op));
  for (int rank = 0; rank < p; ++rank) {
    const uint64_t next = (uint64_t)(2 * rank + 3) << 32 | (uint64_t)(rank + 1);
    if (rank == 0) {
      wanted = next;
    } else {
      compose(&wanted, &wanted, &next, 1, NULL);
    }
  }
  CHECK(all == wanted);
  const tutti_data narrow = tutti_array(&mine, 1, TUTTI_FLOAT);
  CHECK(tutti_allreduce(tutti_world(), &narrow, &narrow, op) == TUTTI_INVALID_ARGUMENT);
  CHECK(tutti_allreduce(tutti_world(), &from, &narrow, op) == TUTTI_INVALID_ARGUMENT);
  GOOD(tutti_op_free(op));
  CHECK(tutti_op_free(op) == TUTTI_STALE_HANDLE);
  CHECK(tutti_allreduce(tutti_world(), &from, &to, op) == TUTTI_STALE_HANDLE);
}

/* Tests the winner of |x| with its place. Rank r holds (-1)^r * (r % 2 + 1), so the odd ranks
 * tie. */
void winners(void) {
  double value[4], out[4];
  int32_t where[8];
  for (int i = 0; i < 4; ++i) value[i] = (me % 2 == 0 ? 1.0 : -2.0) * (i + 1);
  memset(where, 255, sizeof(where));
  const tutti_data in = tutti_matrix(value, 2, 2, 2, TUTTI_DOUBLE),
                   result = tutti_matrix(out, 2, 2, 2, TUTTI_DOUBLE);
  const tutti_locations locations = {where, 3, p - 1};
  const tutti_plan_request request = {.struct_size = sizeof(request),
                                      .operation = TUTTI_OP_ALLREDUCE,
                                      .algorithm = "bidirectional_exchange"};
  tutti_plan plan;
  GOOD(tutti_plan_get(tutti_world(), &request, &plan));
  const tutti_run run = {sizeof(run), &in, &result, TUTTI_ABSMAX, &locations, NULL, NULL, NULL};
  GOOD(tutti_plan_run(plan, &run));
  int winner = p - 1;
  while (p > 1 && winner % 2 == 0) winner = (winner + 1) % p;
  CHECK(out[3] == (p > 1 ? -8.0 : 4.0));
  CHECK(where[0] == winner && where[1] == winner && where[2] == -1 && where[3] == winner &&
        where[4] == winner);
}

/* Leaves in x that one of two vectors that ends with the greater number, and destroys y. If the
 * operator were used on parts, the result would mix the vectors. */
static void greater_end(void* x, void* y, int64_t count, void* user) {
  const double *left = x, *right = y;
  *(int64_t*)user =
      (uintptr_t)x % sizeof(long double) + (uintptr_t)y % sizeof(long double) == 0 ? count : -1;
  if (left[count - 1] < right[count - 1]) memcpy(x, y, (size_t)count * sizeof(double));
  memset(y, 255, (size_t)count * sizeof(double));
}

void operators_in_place(void) {
  int64_t called_with = 0;
  tutti_op op;
  GOOD(tutti_op_create_in_place(TUTTI_DOUBLE, greater_end, 1, &called_with, &op));
  CHECK(tutti_op_create_in_place(TUTTI_DOUBLE, NULL, 1, NULL, &op) == TUTTI_INVALID_ARGUMENT);
  for (int s = 1; s < size_count; ++s) {
    const int64_t n = sizes[s];
    const int root = s % p, greatest = (root + 1) % p;
    for (int64_t i = 0; i < n; ++i) a[i] = me == greatest ? (double)(i + p) : -me, b[i] = 0;
    const tutti_data from = tutti_array(a, n, TUTTI_DOUBLE), to = tutti_array(b, n, TUTTI_DOUBLE);
    tutti_plan_request request = {
        .struct_size = sizeof(request), .operation = TUTTI_OP_REDUCE, .root = root};
    request.algorithm = s % 2 == 0 ? "fully_connected" : "mst";
    tutti_plan plan;
    GOOD(tutti_plan_get(tutti_world(), &request, &plan));
    const tutti_run run = {sizeof(run), &from, &to, op, NULL, NULL, NULL, NULL};
    called_with = n;
    GOOD(tutti_plan_run(plan, &run));
    CHECK(called_with == n && (me != root || (b[0] == p && b[n - 1] == (double)(n - 1 + p))));
    request.algorithm = "scatter_gather";
    if (p == 1 || tutti_plan_get(tutti_world(), &request, &plan) != TUTTI_OK) continue;
    CHECK(tutti_plan_run(plan, &run) == TUTTI_INVALID_ARGUMENT);
  }
  GOOD(tutti_op_free(op));
}
