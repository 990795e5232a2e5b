/* SPDX-License-Identifier: BSD-3-Clause
 * How long messages of collectives are sent, as tutti_count_sent_long() counts them. The word tells
 * what is expected of a broadcast by copies of both ends ("together"), of an exchange whose
 * buffers the other reads ("in-place"), or of all of them where nothing but packets can go
 * ("packets"). A message is handed over only if its receiver comes early enough, so such calls are
 * made until that has happened. The second word is "shared" for memory of tutti_alloc, or "own".
 * Run with 2 processes. */
#include <string.h>
#include <tutti/tutti_runtime.h>

#include "rank_check.h"

enum { elements = 1 << 17, calls = 20, most_calls = 20000 };

static tutti_sent_long counted(void) {
  tutti_sent_long counts = {sizeof counts, -1, -1};
  tutti_count_sent_long(&counts);
  return counts;
}

static double* numbers(int64_t count, int shared) {
  static double own[2][2 * elements];
  static int used = 0;
  void* memory = NULL;
  if (!shared) return own[used++];
  CHECK(tutti_alloc(count * 8, &memory) == TUTTI_OK);
  return memory;
}

static void broadcast(double* x) {
  const tutti_data data = tutti_array(x, 2 * elements, TUTTI_DOUBLE);
  for (int i = 0; i < 2 * elements; i++) x[i] = rank == 0 ? i : -1;
  CHECK(tutti_bcast(world, &data, 0) == TUTTI_OK);
  for (int i = 0; i < 2 * elements; i++) failures += x[i] != i;
}

static void exchange(double* x, double* y) {
  const tutti_data in = tutti_array(x, 2 * elements, TUTTI_DOUBLE);
  const tutti_data out = tutti_array(y, 2 * elements, TUTTI_DOUBLE);
  for (int i = 0; i < 2 * elements; i++) x[i] = i + rank;
  CHECK(tutti_alltoall(world, &in, &out) == TUTTI_OK);
  for (int i = 0; i < 2 * elements; i++)
    failures += y[i] != rank * elements + i % elements + i / elements;
}

/* Returns true on both ranks if one of them has sent a long message without packets. */
static int someone_has(void) {
  const tutti_sent_long sent = counted();
  int64_t mine = sent.in_place + sent.together, all = 0;
  const tutti_data in = tutti_array(&mine, 1, TUTTI_INT64), out = tutti_array(&all, 1, TUTTI_INT64);
  CHECK(tutti_allreduce(world, &in, &out, TUTTI_SUM) == TUTTI_OK);
  return all > 0;
}

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  const char* const way = argv[1];
  CHECK(counted().in_place == 0 && counted().together == 0);
  tutti_errors_return();
  CHECK(tutti_init() == TUTTI_OK);
  world = tutti_world();
  rank = tutti_rank(world);
  size = tutti_size(world);
  CHECK(size == 2);
  double *x = numbers(2 * elements, strcmp(argv[2], "shared") == 0),
         *y = numbers(2 * elements, strcmp(argv[2], "shared") == 0);
  const int only_packets = strcmp(way, "packets") == 0;
  for (int call = 0; only_packets ? call < calls : call < most_calls && !someone_has(); call++) {
    if (strcmp(way, "in-place") != 0) broadcast(x);
    if (strcmp(way, "together") != 0) exchange(x, y);
  }
  CHECK(someone_has() == !only_packets);
  const tutti_sent_long sent = counted();
  /* Rank 0 alone sends what is broadcast. */
  CHECK(sent.in_place == 0 || strcmp(way, "in-place") == 0);
  CHECK(sent.together == 0 || (strcmp(way, "together") == 0 && rank == 0));
  tutti_sent_long smaller = {sizeof smaller - 1, -1, -1};
  tutti_count_sent_long(&smaller);
  CHECK(smaller.in_place == -1 && smaller.together == -1);
  tutti_count_sent_long(NULL);
  CHECK(tutti_finalize() == TUTTI_OK);
  return failures > 0;
}
