/* SPDX-License-Identifier: BSD-3-Clause
 * Rank seed mod p is killed at some moment while long vectors travel between memory of tutti_alloc
 * and other memory. What the others receive is right until a call fails.
 * Usage: memory_kills SEED; it ends with SIGKILL, or with exit code 3 after an error. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/time.h>
#include <tutti/tutti.h>

enum { elements = 1 << 19 }; /* 4 MiB */

static tutti_group world;
static int rank, size;

static void end_killed(int signal) {
  (void)signal;
  raise(SIGKILL);
}

static void kill_after(long microseconds) {
  struct itimerval time = {{0, 0}, {microseconds / 1000000, microseconds % 1000000}};
  signal(SIGALRM, end_killed);
  setitimer(ITIMER_REAL, &time, NULL);
}

static int64_t* numbers(int in_segment) {
  void* memory = malloc(elements * sizeof(int64_t));
  if (in_segment && tutti_alloc(elements * sizeof(int64_t), &memory) != TUTTI_OK) abort();
  return memory;
}

static void require(int right, const char* what) {
  if (right) return;
  fprintf(stderr, "rank %d: a wrong byte in %s\n", rank, what);
  exit(1);
}

/* A status that is no success ends this process. The others learn of that. */
static void go_on(tutti_status status) {
  if (status == TUTTI_OK) return;
  if (status != TUTTI_PEER_LEFT) fprintf(stderr, "rank %d: %s\n", rank, tutti_error_text());
  _Exit(3);
}

static void turn(int round, int64_t* in, int64_t* out) {
  const int64_t block = elements / size;
  const tutti_data input = tutti_array(in, block * size, TUTTI_INT64);
  const tutti_data output = tutti_array(out, block * size, TUTTI_INT64);
  for (int64_t i = 0; i < elements; i++) in[i] = i + rank + round;
  go_on(tutti_bcast(world, rank == round % size ? &input : &output, round % size));
  if (rank != round % size)
    for (int64_t i = 0; i < block * size; i++)
      require(out[i] == i + round % size + round, "a broadcast");
  go_on(tutti_alltoall(world, &input, &output));
  for (int r = 0; r < size; r++)
    for (int64_t i = 0; i < block; i++)
      require(out[r * block + i] == rank * block + i + r + round, "an exchange");
  go_on(tutti_allreduce(world, &input, &output, TUTTI_SUM));
  for (int64_t i = 0; i < block * size; i++)
    require(out[i] == size * (i + round) + size * (size - 1) / 2, "a sum");
}

int main(int argc, char** argv) {
  const unsigned seed = argc > 1 ? (unsigned)atoi(argv[1]) : 1;
  tutti_errors_return();
  if (tutti_init() != TUTTI_OK) return 1;
  world = tutti_world();
  rank = tutti_rank(world);
  size = tutti_size(world);
  srand(seed);
  const int victim = (int)(seed % (unsigned)size);
  const long moment = 1 + rand() % 40000;
  for (int r = 0; r < rank; r++) (void)rand();
  const int places = rand() % 4;
  int64_t *in = numbers(places != 1), *out = numbers(places != 2);
  go_on(tutti_barrier(world));
  if (rank == victim) kill_after(moment);
  for (int round = 0;; round++) turn(round, in, out);
}
