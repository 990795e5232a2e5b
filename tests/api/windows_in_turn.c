/* SPDX-License-Identifier: BSD-3-Clause
 * Each process fills windows in turn, and the next one reads them. After enough of them, they lie
 * in memory in which they follow each other. Wrong calls are refused. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tutti/tutti.h>
#include <tutti/tutti_runtime.h>

enum { bytes = 60000, rounds = 300 };

static void demand(int right, const char* what) {
  if (right) return;
  fprintf(stderr, "rank %d: %s\n", tutti_rank(tutti_world()), what);
  tutti_abort(1, "a test has failed");
}

static void refuse_nonsense(void) {
  char outside[8] = {0};
  void* window = NULL;
  demand(tutti_window_in_turn(-1, &window) == TUTTI_INVALID_ARGUMENT, "a negative size");
  demand(tutti_window_in_turn(bytes, NULL) == TUTTI_INVALID_ARGUMENT, "no address");
  demand(tutti_window_write(outside, outside, 8) == TUTTI_INVALID_ARGUMENT, "outside of a window");
  demand(tutti_alloc(100, &window) == TUTTI_OK, "a window");
  demand(tutti_window_write(window, NULL, 8) == TUTTI_INVALID_ARGUMENT, "no data");
  demand(tutti_window_write(window, outside, INT64_MAX) == TUTTI_INVALID_ARGUMENT, "too much data");
  demand(tutti_free(window) == TUTTI_OK, "freed");
  demand(tutti_free(window) == TUTTI_INVALID_ARGUMENT, "freed twice");
}

int main(void) {
  tutti_errors_return();
  if (tutti_init() != TUTTI_OK) return 1;
  const tutti_group world = tutti_world();
  const int me = tutti_rank(world), size = tutti_size(world);
  const int next = (me + 1) % size, before = (me + size - 1) % size;
  refuse_nonsense();
  unsigned char* data = malloc(bytes);
  int in_turn = 0;
  for (int round = 0; round < rounds; ++round) {
    void* window = NULL;
    demand(tutti_window_in_turn(bytes, &window) == TUTTI_OK, "in turn");
    in_turn += window != NULL;
    if (window == NULL) demand(tutti_alloc(bytes, &window) == TUTTI_OK, "allocate");
    memset(data, me + round, bytes);
    demand(tutti_window_write(window, data, bytes) == TUTTI_OK, "write");
    int64_t mine = (int64_t)tutti_window_name(window), theirs = 0;
    const tutti_data name = tutti_array(&mine, 1, TUTTI_INT64);
    const tutti_data other = tutti_array(&theirs, 1, TUTTI_INT64);
    demand(tutti_send(world, &name, next, 0) == TUTTI_OK, "send");
    demand(tutti_receive(world, &other, before, 0, NULL, NULL) == TUTTI_OK, "receive");
    const unsigned char* read = tutti_window_address(before, (uint64_t)theirs);
    demand(read != NULL, "address");
    for (int i = 0; i < bytes; ++i)
      demand(read[i] == (unsigned char)(before + round), "another byte was read");
    demand(tutti_barrier(world) == TUTTI_OK, "barrier");
    demand(tutti_free(window) == TUTTI_OK, "free");
  }
  demand(in_turn > rounds / 4, "few windows were in turn");
  free(data);
  return tutti_finalize() == TUTTI_OK ? 0 : 1;
}
