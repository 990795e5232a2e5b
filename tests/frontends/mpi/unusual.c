/* SPDX-License-Identifier: BSD-3-Clause */
/* Calls that MPI allows and that are unusual on one process only: an address, a type or a name that
 * means nothing there. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int rank, ranks;

static void expect(const char* what, int good) {
  if (good) return;
  fprintf(stderr, "rank %d of %d: %s is wrong\n", rank, ranks, what);
  MPI_Abort(MPI_COMM_WORLD, 1);
}

/* A process that gets no element gives no address for it. */
static void no_elements(void) {
  const int data[2] = {rank, 2 * rank};
  int result[2] = {-1, -1};
  int* const counts = calloc((size_t)ranks, sizeof *counts);
  counts[0] = 2;
  MPI_Reduce_scatter(data, rank == 0 ? result : NULL, counts, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  const int sum = ranks * (ranks - 1) / 2;
  expect("reduce_scatter", rank != 0 || (result[0] == sum && result[1] == 2 * sum));
  free(counts);
}

/* The first process gets nothing from an exscan. MPICH asks it for an address nevertheless. */
static void no_result(void) {
  int result = -1;
#if defined(OPEN_MPI)
  int* const to = rank == 0 ? NULL : &result;
#else
  int* const to = &result;
#endif
  MPI_Exscan(&rank, to, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  expect("exscan", rank == 0 || result == rank * (rank - 1) / 2);
}

/* Each element of MPI_DOUBLE_INT has a hole, in which a program may keep a number of its own. */
static void numbers_in_holes(void) {
  struct Pair {
    double value;
    int place, mine;
  } given[3], got[3], summed[3];
  int* const counts = calloc((size_t)ranks, sizeof *counts);
  counts[ranks - 1] = 3;
  for (int i = 0; i < 3; ++i) {
    given[i] = (struct Pair){rank + i, rank, 100 + rank};
    got[i] = summed[i] = (struct Pair){-1, -1, 200 + rank};
  }
  MPI_Allreduce(given, got, 3, MPI_DOUBLE_INT, MPI_MAXLOC, MPI_COMM_WORLD);
  MPI_Reduce_scatter(given, summed, counts, MPI_DOUBLE_INT, MPI_MAXLOC, MPI_COMM_WORLD);
  MPI_Allreduce(MPI_IN_PLACE, given, 3, MPI_DOUBLE_INT, MPI_MAXLOC, MPI_COMM_WORLD);
  for (int i = 0; i < 3; ++i) {
    expect("a pair", got[i].value == ranks - 1 + i && got[i].place == ranks - 1);
    expect("a number in a hole", got[i].mine == 200 + rank);
    expect("a number in a hole, in place", given[i].mine == 100 + rank);
    expect("a number in a hole of a part", summed[i].mine == 200 + rank);
    expect("a pair of a part", rank != ranks - 1 || summed[i].place == ranks - 1);
  }
  free(counts);
}

/* Process 0 sends one element to process 1, and nothing else moves. MPICH takes any type for
 * nothing, and a process that sends nothing may give it no types. */
static void no_type(void) {
  int got = -1;
  const int value = 77;
  int *const sends = calloc((size_t)ranks, sizeof(int)), *const gets =
                                                             calloc((size_t)ranks, sizeof(int));
  int* const places = calloc((size_t)ranks, sizeof(int));
  MPI_Datatype* const types = calloc((size_t)ranks, sizeof(MPI_Datatype));
  for (int other = 0; other < ranks; ++other) types[other] = MPI_INT;
#if defined(OPEN_MPI)
  MPI_Datatype* const types_of_nothing = types;
#else
  MPI_Datatype* const types_of_nothing = NULL;
  if (rank == 0) types[0] = MPI_DATATYPE_NULL;
#endif
  if (rank == 0) sends[1] = 1;
  if (rank == 1) gets[0] = 1;
  MPI_Datatype* const of_sends = rank == 0 ? types : types_of_nothing;
  MPI_Alltoallw(&value, sends, places, of_sends, &got, gets, places, types, MPI_COMM_WORLD);
  expect("alltoallw", got == (rank == 1 ? value : -1));
  free(sends), free(gets), free(places), free(types);
}

/* Only process 0 has a name of its own for a type. */
static void another_name(void) {
  short sum = 0;
  const short one = 1;
  if (rank == 0) MPI_Type_set_name(MPI_SHORT, "mine");
  MPI_Allreduce(&one, &sum, 1, MPI_SHORT, MPI_SUM, MPI_COMM_WORLD);
  expect("allreduce", sum == ranks);
}

/* A type that was made with a large count. */
static void large_count(void) {
#if MPI_VERSION >= 4
  int data[4] = {rank, rank, rank, rank};
  MPI_Datatype four, same;
  MPI_Type_contiguous_c(4, MPI_INT, &four);
  MPI_Type_commit(&four);
  MPI_Type_dup(four, &same);
  MPI_Bcast(data, 1, four, 1, MPI_COMM_WORLD);
  expect("bcast", data[0] == 1 && data[3] == 1);
  MPI_Bcast(data, 1, rank == 0 ? same : four, 0, MPI_COMM_WORLD);
  expect("bcast of a copy of the type", data[0] == 1 && data[3] == 1);
  MPI_Type_free(&four);
  MPI_Type_free(&same);
#endif
}

/* Data at absolute addresses, on process 0 only. */
static void absolute_addresses(void) {
  int first = -1, second = -1, both[2] = {-1, -1};
  MPI_Datatype scattered;
  MPI_Aint places[2];
  const int lengths[2] = {1, 1};
  int* const all = calloc(2 * (size_t)ranks, sizeof *all);
  MPI_Get_address(&first, &places[0]);
  MPI_Get_address(&second, &places[1]);
  MPI_Type_create_hindexed(2, lengths, places, MPI_INT, &scattered);
  MPI_Type_commit(&scattered);
  if (rank == ranks - 1) both[0] = 5, both[1] = 6;
  if (rank == 0)
    MPI_Bcast(MPI_BOTTOM, 1, scattered, ranks - 1, MPI_COMM_WORLD);
  else
    MPI_Bcast(both, 2, MPI_INT, ranks - 1, MPI_COMM_WORLD);
  expect("bcast to absolute addresses", rank != 0 || (first == 5 && second == 6));
  if (rank != 0) first = 10 * rank, second = 10 * rank + 1;
  MPI_Allgather(MPI_BOTTOM, 1, scattered, all, 2, MPI_INT, MPI_COMM_WORLD);
  expect("allgather from absolute addresses", all[0] == 5 && all[1] == 6);
  for (int other = 1; other < ranks; ++other)
    expect("an allgathered block",
           all[2 * other] == 10 * other && all[2 * other + 1] == 10 * other + 1);
  MPI_Type_free(&scattered);
  free(all);
}

/* Process 0 has ended its accesses before a barrier, so the others see that at once behind it. */
static void window(void) {
  int memory = 0, flag = 0;
  const int zero = 0;
  MPI_Group world, others;
  MPI_Win win;
  MPI_Comm_group(MPI_COMM_WORLD, &world);
  MPI_Win_create(&memory, sizeof memory, sizeof memory, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
  if (rank == 0) {
    MPI_Group_excl(world, 1, &zero, &others);
    MPI_Win_start(others, 0, win);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_complete(win);
    MPI_Barrier(MPI_COMM_WORLD);
  } else {
    MPI_Group_incl(world, 1, &zero, &others);
    MPI_Win_post(others, 0, win);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_test(win, &flag);
    expect("the end of accesses to a window", flag != 0);
  }
  MPI_Group_free(&others);
  MPI_Group_free(&world);
  MPI_Win_free(&win);
  MPI_Barrier(MPI_COMM_WORLD);
}

/* The last process forgets its buffer, which no MPI allows. */
static void no_address(void) {
  int data = rank;
  MPI_Bcast(rank == ranks - 1 ? NULL : &data, 1, MPI_INT, 0, MPI_COMM_WORLD);
}

/* One element of more bytes than an int counts, with a hole. */
static void large_element(void) {
  const int block = 750000000, hole = 64;
  const size_t second = (size_t)(block + hole), last = 2 * second + (size_t)block - 1;
  char* const data = calloc(last + 1, 1);
  expect("the memory", data != NULL);
  MPI_Datatype blocks;
  MPI_Type_vector(3, block, block + hole, MPI_BYTE, &blocks);
  MPI_Type_commit(&blocks);
  if (rank == 0) data[0] = 1, data[block] = 9, data[second] = 2, data[last] = 3;
  MPI_Bcast(data, 1, blocks, 0, MPI_COMM_WORLD);
  expect("a large element", data[0] == 1 && data[second] == 2 && data[last] == 3);
  expect("its hole", data[block] == (rank == 0 ? 9 : 0));
  MPI_Type_free(&blocks);
  free(data);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (argc > 1 && strcmp(argv[1], "no-address") == 0) no_address();
  if (argc > 1 && strcmp(argv[1], "large-element") == 0) large_element();
  no_elements();
  no_result();
  no_type();
  numbers_in_holes();
  another_name();
  large_count();
  absolute_addresses();
  window();
  if (rank == 0) puts("right");
  MPI_Finalize();
  return 0;
}
