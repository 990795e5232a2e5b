/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A job that reduces, broadcasts and sends in a ring, and checks what arrives, for ever or for so
 * many seconds. Usage: endless SECONDS [RANK NAP]: this rank computes for NAP seconds once.
 * SECONDS 0 is for ever. Each rank says "rank R is process P" when the job has begun.
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <tutti/tutti.h>
#include <unistd.h>

enum { most = 20000 };

static int64_t value(int rank, int64_t round, int i) {
  return (rank * 1000003 + round * 7919 + i * 31) % 1000;
}

static void require(int good, const char* what) {
  if (good) return;
  fprintf(stderr, "WRONG: %s\n", what);
  abort();
}

static void reduce(int rank, int ranks, int64_t round, int n) {
  static int64_t in[most], out[most];
  for (int i = 0; i < n; ++i) in[i] = value(rank, round, i);
  const tutti_data input = tutti_array(in, n, TUTTI_INT64),
                   output = tutti_array(out, n, TUTTI_INT64);
  require(tutti_allreduce(tutti_world(), &input, &output, TUTTI_SUM) == TUTTI_OK, "status");
  for (int i = 0; i<n; i += n> 100 ? 97 : 1) {
    int64_t sum = 0;
    for (int r = 0; r < ranks; ++r) sum += value(r, round, i);
    require(out[i] == sum, "allreduce");
  }
}

static void broadcast(int rank, int root, int64_t round, int n) {
  static int64_t all[most];
  for (int i = 0; i < n; ++i) all[i] = rank == root ? value(root, round, i) : -1;
  const tutti_data data = tutti_array(all, n, TUTTI_INT64);
  require(tutti_bcast(tutti_world(), &data, root) == TUTTI_OK, "status");
  for (int i = 0; i < n; ++i) require(all[i] == value(root, round, i), "broadcast");
}

static void ring(int rank, int ranks, int64_t round, int n) {
  static int64_t out[most], in[most];
  const int from = (rank + ranks - 1) % ranks, to = (rank + 1) % ranks;
  for (int i = 0; i < n; ++i) out[i] = value(rank, round, i);
  const tutti_data sent = tutti_array(out, n, TUTTI_INT64), got = tutti_array(in, n, TUTTI_INT64);
  require(tutti_send(tutti_world(), &sent, to, 5) == TUTTI_OK, "status");
  require(tutti_receive(tutti_world(), &got, from, 5, NULL, NULL) == TUTTI_OK, "status");
  for (int i = 0; i < n; ++i) require(in[i] == value(from, round, i), "message");
}

int main(int argc, char** argv) {
  const double seconds = argc > 1 ? atof(argv[1]) : 0;
  if (tutti_init() != TUTTI_OK) return 1;
  const int rank = tutti_rank(tutti_world()), ranks = tutti_size(tutti_world());
  fprintf(stderr, "rank %d is process %d\n", rank, (int)getpid());
  const time_t begun = time(NULL);
  int64_t go_on = 1;
  for (int64_t round = 0; go_on; ++round) {
    const int n = 1 + (int)(round * 613 % (round % 8 == 0 ? most : 300));
    if (argc > 3 && round == 1 && rank == atoi(argv[2])) sleep((unsigned)atoi(argv[3]));
    reduce(rank, ranks, round, n);
    broadcast(rank, (int)(round % ranks), round, n);
    ring(rank, ranks, round, n);
    int64_t mine = seconds == 0 || (double)(time(NULL) - begun) < seconds;
    const tutti_data vote = tutti_array(&mine, 1, TUTTI_INT64),
                     all = tutti_array(&go_on, 1, TUTTI_INT64);
    require(tutti_allreduce(tutti_world(), &vote, &all, TUTTI_MIN) == TUTTI_OK, "status");
  }
  if (rank == 0) puts("endless: right");
  return tutti_finalize() != TUTTI_OK;
}
