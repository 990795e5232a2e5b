/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A job that ends directly after one collective: some ranks have left while others still wait for
 * what these have sent. The arguments are the number of the operation, in the order of `operations`
 * below, and the elements that each rank gives. mpi.py runs it.
 */
#include <stdio.h>
#include <stdlib.h>
#include <tutti/tutti.h>

static tutti_data mine, all;
static const int root = 0;

static tutti_status barrier(tutti_group g) {
  return tutti_barrier(g);
}
static tutti_status bcast(tutti_group g) {
  return tutti_bcast(g, &mine, root);
}
static tutti_status reduce(tutti_group g) {
  return tutti_reduce(g, &mine, &mine, TUTTI_SUM, root);
}
static tutti_status allreduce(tutti_group g) {
  return tutti_allreduce(g, &mine, &mine, TUTTI_SUM);
}
static tutti_status scatter(tutti_group g) {
  return tutti_scatter(g, &all, &mine, root);
}
static tutti_status gather(tutti_group g) {
  return tutti_gather(g, &mine, &all, root);
}
static tutti_status allgather(tutti_group g) {
  return tutti_allgather(g, &mine, &all);
}
static tutti_status alltoall(tutti_group g) {
  return tutti_alltoall(g, &all, &all);
}
static tutti_status reduce_scatter(tutti_group g) {
  return tutti_reduce_scatter(g, &all, &mine, TUTTI_SUM);
}
static tutti_status scan(tutti_group g) {
  return tutti_scan(g, &mine, &mine, TUTTI_SUM);
}
static tutti_status exscan(tutti_group g) {
  return tutti_exscan(g, &mine, &mine, TUTTI_SUM);
}

static tutti_status (*const operations[])(tutti_group) = {
    barrier,   bcast,    reduce,         allreduce, scatter, gather,
    allgather, alltoall, reduce_scatter, scan,      exscan};

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  const int operation = atoi(argv[1]);
  const int64_t count = atoi(argv[2]);
  if (tutti_init() != TUTTI_OK) return 1;
  const int me = tutti_rank(tutti_world());
  const int64_t whole = count * tutti_size(tutti_world());
  mine = tutti_array(calloc((size_t)count, sizeof(double)), count, TUTTI_DOUBLE);
  all = tutti_array(calloc((size_t)whole, sizeof(double)), whole, TUTTI_DOUBLE);
  tutti_status status = operations[operation](tutti_world());
  if (status == TUTTI_OK) status = tutti_finalize();
  free(mine.address);
  free(all.address);
  if (me == root && status == TUTTI_OK) printf("right\n");
  return status;
}
