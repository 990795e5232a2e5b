/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A program to be recorded: all operations, also started ones and those of groups; messages that go
 * on while others are sent, that are looked for, that come from anybody, and that nobody takes; and
 * work between them.
 */
#include <stdint.h>
#include <string.h>
#include <tutti/tutti.h>

enum { count = 3000, most_ranks = 8 };

static int64_t in[count * most_ranks], out[count * most_ranks];
static tutti_group world;
static int rank, size;

static tutti_data data(int64_t* address, int64_t elements) {
  return tutti_array(address, elements, TUTTI_INT64);
}

static void work(int rounds) {
  volatile int sum = 0;
  for (int i = 0; i < rounds * 1000; i++) sum = sum + i;
}

static void all_operations(tutti_group group, int64_t elements) {
  const int p = tutti_size(group), root = p - 1;
  const tutti_data own = data(in, elements), own_out = data(out, elements);
  const tutti_data all = data(in, elements * p), all_out = data(out, elements * p);
  tutti_bcast(group, &own, root);
  tutti_reduce(group, &own, &own_out, TUTTI_SUM, 0);
  work(rank + 1);
  tutti_allreduce(group, &own, &own_out, TUTTI_SUM);
  tutti_scatter(group, &all, &own_out, root);
  tutti_gather(group, &own, &all_out, 0);
  tutti_allgather(group, &own, &all_out);
  tutti_barrier(group);
  tutti_reduce_scatter(group, &all, &own_out, TUTTI_SUM);
  work(1);
  tutti_alltoall(group, &all, &all_out);
  tutti_scan(group, &own, &own_out, TUTTI_SUM);
  tutti_exscan(group, &own, &own_out, TUTTI_SUM);
}

static void uneven(void) {
  int64_t counts[most_ranks], sum = 0;
  for (int r = 0; r < size; r++) sum += counts[r] = 100 * r;
  const tutti_data own = data(in, counts[rank]), all = data(out, sum);
  tutti_allgatherv(world, &own, &all, counts);
  tutti_gatherv(world, &own, &all, counts, 0);
}

static void started_operations(int64_t elements) {
  tutti_request requests[3];
  static int64_t more[count];
  const tutti_data own = data(in, elements), own_out = data(out, elements);
  const tutti_data third = data(more, elements);
  tutti_iallreduce(world, &own, &own_out, TUTTI_SUM, &requests[0]);
  tutti_ibcast(world, &third, 0, &requests[1]);
  work(2);
  tutti_ibarrier(world, &requests[2]);
  tutti_waitall(3, requests);
}

/* Sends two messages, works, and takes them in another order, while an operation goes on. */
static void messages(int64_t elements) {
  const int next = (rank + 1) % size, before = (rank + size - 1) % size;
  static int64_t first[count], second[count], sum[count];
  const tutti_data own = data(in, elements), few = data(in, 10);
  const tutti_data one = data(first, elements), two = data(second, 10), all = data(sum, elements);
  tutti_request posted, going, sent;
  tutti_ireceive(world, &one, before, 1, NULL, NULL, &posted);
  tutti_iallreduce(world, &own, &all, TUTTI_SUM, &going);
  tutti_isend(world, &own, next, 1, &sent);
  tutti_send(world, &few, next, 2);
  work(3);
  tutti_receive(world, &two, before, 2, NULL, NULL);
  tutti_wait(&posted);
  tutti_wait(&sent);
  tutti_wait(&going);
}

static void from_anybody(void) {
  const tutti_data few = data(in, 20);
  int from = -1;
  if (rank > 0) {
    work(rank);
    tutti_send(world, &few, 0, rank);
    return;
  }
  tutti_probe(world, TUTTI_ANY, TUTTI_ANY, 1, &from, NULL, NULL);
  for (int r = 1; r < size; r++) tutti_receive(world, &few, TUTTI_ANY, TUTTI_ANY, &from, NULL);
}

/* Nobody takes this message. It comes before the program ends, and has no need of its receive. */
static void left(void) {
  const tutti_data one = data(in, 1);
  if (rank == 0) tutti_send(world, &one, size - 1, 77);
}

int main(int argc, char** argv) {
  const int64_t elements = argc > 1 && strcmp(argv[1], "long") == 0 ? count : 30;
  tutti_group part;
  if (tutti_init() != TUTTI_OK) return 1;
  world = tutti_world();
  rank = tutti_rank(world);
  size = tutti_size(world);
  all_operations(world, elements);
  tutti_group_split(world, rank % 2, -rank, &part);
  all_operations(part, elements / 2);
  uneven();
  started_operations(elements);
  left();
  messages(elements);
  from_anybody();
  return tutti_finalize() == TUTTI_OK ? 0 : 1;
}
