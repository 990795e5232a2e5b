/* SPDX-License-Identifier: BSD-3-Clause
 * Two processes exchange far more than the send memory holds, while the first message in it is
 * for a third process. That one waits outside of tutti until the two are done, so they must not
 * need it. Run with 3 processes of one machine. */
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <tutti/tutti.h>
#include <tutti/tutti_runtime.h>
#include <unistd.h>

enum { elements = 3 << 20, small = 1000, rounds = 3 };

static void must(tutti_status status) {
  if (status == TUTTI_OK) return;
  fprintf(stderr, "rank %d: %s\n", tutti_rank(tutti_world()), tutti_error_text());
  exit(1);
}

static void require(int good, const char* what) {
  if (good) return;
  fprintf(stderr, "rank %d: %s\n", tutti_rank(tutti_world()), what);
  exit(1);
}

/* Returns a flag in memory of rank 1 that the other ranks see, too. */
static atomic_int* shared_flag(int me) {
  void* window = NULL;
  uint64_t name = 0;
  if (me == 1) {
    must(tutti_alloc(sizeof(atomic_int), &window));
    atomic_store((atomic_int*)window, 0);
    name = tutti_window_name(window);
  }
  const tutti_data data = tutti_array(&name, 1, TUTTI_INT64);
  must(tutti_bcast(tutti_world(), &data, 1));
  if (me != 1) window = tutti_window_address(tutti_endpoint(tutti_world(), 1), name);
  require(window != NULL, "no window");
  return window;
}

int main(void) {
  must(tutti_init());
  const int me = tutti_rank(tutti_world());
  require(tutti_size(tutti_world()) == 3, "3 processes are needed");
  atomic_int* done = shared_flag(me);
  tutti_group pair = {0}, ends = {0}; /* 0 and 1; 0 and 2 */
  must(tutti_group_split(tutti_world(), me == 2 ? -1 : 0, me, &pair));
  must(tutti_group_split(tutti_world(), me == 1 ? -1 : 0, me, &ends));
  double* x = calloc(elements, sizeof(double));
  double few[small] = {0};
  require(x != NULL, "no memory");
  const tutti_data large = tutti_array(x, elements, TUTTI_DOUBLE),
                   little = tutti_array(few, small, TUTTI_DOUBLE);
  tutti_request request = {0};
  if (me == 0) {
    few[small - 1] = 7;
    must(tutti_ibcast(ends, &little, 0, &request));
  }
  for (int round = 1; me != 2 && round <= rounds; ++round) {
    if (me == 0) x[elements - 1] = round;
    must(tutti_bcast(pair, &large, 0));
    require(x[elements - 1] == round, "a wrong value");
  }
  if (me == 1) atomic_store(done, 1);
  while (me == 2 && atomic_load(done) == 0) usleep(1000);
  if (me == 2) must(tutti_ibcast(ends, &little, 0, &request));
  if (me != 1) must(tutti_wait(&request));
  require(me == 1 || few[small - 1] == 7, "a wrong value");
  must(tutti_barrier(tutti_world()));
  free(x);
  must(tutti_finalize());
  return 0;
}
