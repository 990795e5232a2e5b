/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Receivers with more room than they are sent, which both MPIs let pass. Each call is made with
 * plain numbers and with a type that has holes. The numbers must come, and the rest of the room
 * must stay as it was. Rank 0 has exactly the right room, the others have more.
 *
 * longer short: rank 1 has less room than is sent; longer more: it has more. Both make a broadcast
 * only, whose error is returned, and print its class on rank 1. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROOM = 4096, KEPT = -7 };

static int ranks, rank, wrong = 0;
static MPI_Datatype types[2]; /* an int, and an int with a hole of the same size behind it */
static const int steps[2] = {1, 2};
static int in[ROOM], out[ROOM];

/* Element i of what a rank sends to another. */
static int element(int from, int to, int i) {
  return 10000 * from + 100 * to + i % 100;
}

static void prepare(int kind, int to, int number) {
  for (int i = 0; i < ROOM; ++i) in[i] = out[i] = KEPT;
  for (int i = 0; i < number; ++i) in[i * steps[kind]] = element(rank, to, i);
}

/* Numbers that must lie at a place of out, counted in elements, and room behind them that must not
 * have changed. */
static void expect(const char* call, int kind, int place, int from, int to, int number, int room) {
  const int step = steps[kind];
  for (int i = 0; i < room * step; ++i) {
    const int wanted = i % step == 0 && i / step < number ? element(from, to, i / step) : KEPT;
    const int got = out[place * step + i];
    if (got == wanted) continue;
    printf("rank %d of %d: %s, type %d: number %d is %d, not %d\n", rank, ranks, call, kind,
           place * step + i, got, wanted);
    wrong = 1;
    return;
  }
}

static int more(int number) {
  return rank == 0 ? number : number + 3 * rank;
}

static void rooted(int kind, int root, int number) {
  const MPI_Datatype type = types[kind];
  int counts[64], places[64];
  prepare(kind, 0, number);
  if (rank == root) memcpy(out, in, sizeof in);
  MPI_Bcast(out, rank == root ? number : number + 5, type, root, MPI_COMM_WORLD);
  expect("bcast", kind, 0, root, 0, number, number + 5);

  const int room = more(number);
  prepare(kind, 0, 0);
  for (int to = 0; to < ranks; ++to)
    for (int i = 0; i < number; ++i) in[(to * number + i) * steps[kind]] = element(rank, to, i);
  MPI_Scatter(in, number, type, out, room, type, root, MPI_COMM_WORLD);
  expect("scatter", kind, 0, root, rank, number, room);

  prepare(kind, root, number);
  MPI_Gather(in, number, type, out, room, type, root, MPI_COMM_WORLD);
  for (int from = 0; from < ranks && rank == root; ++from)
    expect("gather", kind, from * room, from, root, number, room);

  for (int other = 0; other < ranks; ++other) {
    counts[other] = number + other;
    places[other] = other * (number + ranks + 8);
  }
  prepare(kind, 0, 0);
  for (int to = 0; to < ranks; ++to)
    for (int i = 0; i < counts[to]; ++i) in[(places[to] + i) * steps[kind]] = element(rank, to, i);
  MPI_Scatterv(in, counts, places, type, out, more(counts[rank]), type, root, MPI_COMM_WORLD);
  expect("scatterv", kind, 0, root, rank, counts[rank], more(counts[rank]));

  prepare(kind, root, counts[rank]);
  for (int other = 0; other < ranks; ++other) counts[other] += rank == root ? 4 : 0;
  MPI_Gatherv(in, number + rank, type, out, counts, places, type, root, MPI_COMM_WORLD);
  for (int from = 0; from < ranks && rank == root; ++from)
    expect("gatherv", kind, places[from], from, root, number + from, counts[from]);
}

static void for_all(int kind, int number) {
  const MPI_Datatype type = types[kind];
  int counts[64], places[64], rooms[64], number_of[64];
  const int room = more(number);
  prepare(kind, 0, number);
  MPI_Allgather(in, number, type, out, room, type, MPI_COMM_WORLD);
  for (int from = 0; from < ranks; ++from)
    expect("allgather", kind, from * room, from, 0, number, room);

  prepare(kind, 0, 0);
  for (int to = 0; to < ranks; ++to)
    for (int i = 0; i < number; ++i) in[(to * number + i) * steps[kind]] = element(rank, to, i);
  MPI_Alltoall(in, number, type, out, room, type, MPI_COMM_WORLD);
  for (int from = 0; from < ranks; ++from)
    expect("alltoall", kind, from * room, from, rank, number, room);

  for (int other = 0; other < ranks; ++other) {
    number_of[other] = number + other;
    rooms[other] = number_of[other] + (rank + other) % 3;
    places[other] = other * (number + ranks + 8);
  }
  prepare(kind, 0, number_of[rank]);
  MPI_Allgatherv(in, number_of[rank], type, out, rooms, places, type, MPI_COMM_WORLD);
  for (int from = 0; from < ranks; ++from)
    expect("allgatherv", kind, places[from], from, 0, number_of[from], rooms[from]);

  prepare(kind, 0, 0);
  for (int to = 0; to < ranks; ++to) {
    counts[to] = number + rank + to;
    rooms[to] = number + rank + to + (to + 2 * rank) % 3;
    for (int i = 0; i < counts[to]; ++i) in[(places[to] + i) * steps[kind]] = element(rank, to, i);
  }
  MPI_Alltoallv(in, counts, places, type, out, rooms, places, type, MPI_COMM_WORLD);
  for (int from = 0; from < ranks; ++from)
    expect("alltoallv", kind, places[from], from, rank, number + rank + from, rooms[from]);
}

/* Nothing is sent, and some ranks have room. */
static void nothing(int kind) {
  prepare(kind, 0, 0);
  MPI_Allgather(in, 0, types[kind], out, more(0), types[kind], MPI_COMM_WORLD);
  MPI_Gather(in, 0, types[kind], out, more(0), types[kind], ranks - 1, MPI_COMM_WORLD);
  MPI_Alltoall(in, 0, types[kind], out, more(0), types[kind], MPI_COMM_WORLD);
  expect("nothing", kind, 0, 0, 0, 0, more(0));
}

/* A broadcast of 100 numbers, for which rank 1 has other room. */
static int one_broadcast(int room) {
  int class = 0;
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  const int code = MPI_Bcast(out, rank == 1 ? room : 100, MPI_INT, 0, MPI_COMM_WORLD);
  MPI_Error_class(code, &class);
  if (rank == 1)
    printf("class %s\n", class == MPI_SUCCESS        ? "success"
                         : class == MPI_ERR_TRUNCATE ? "truncate"
                         : class == MPI_ERR_COUNT    ? "count"
                                                     : "other");
  fflush(stdout);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
  if (room != 100) MPI_Bcast(out, rank == 1 ? room : 100, MPI_INT, 0, MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}

int main(int argc, char** argv) {
  int all = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (argc > 1) return one_broadcast(strcmp(argv[1], "short") == 0 ? 90 : 110);
  MPI_Type_dup(MPI_INT, &types[0]);
  MPI_Type_create_resized(MPI_INT, 0, 2 * sizeof(int), &types[1]);
  for (int kind = 0; kind < 2; ++kind) MPI_Type_commit(&types[kind]);
  for (int turn = 0; turn < 2; ++turn)
    for (int kind = 0; kind < 2; ++kind)
      for (int number = 1; number < 200; number += 66) {
        for (int root = 0; root < ranks; ++root) rooted(kind, root, number);
        for_all(kind, number);
      }
  for (int kind = 0; kind < 2; ++kind) nothing(kind);
  MPI_Allreduce(&wrong, &all, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  if (rank == 0) printf("%s: longer receivers on %d ranks\n", all == 0 ? "right" : "WRONG", ranks);
  for (int kind = 0; kind < 2; ++kind) MPI_Type_free(&types[kind]);
  MPI_Finalize();
  return all;
}
