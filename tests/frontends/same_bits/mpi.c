// SPDX-License-Identifier: BSD-3-Clause
// MPI: operators of the program, and those of MPI on types that tutti leaves to the MPI.
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

#include "same_bits.h"

enum { LONG_SUM = OWN_KINDS, LONG_MAX_OF, MAXIMUM_AND_PLACE, MINIMUM_AND_PLACE, ALL_KINDS };

const char* const interface_name = "mpi";
static struct kind all_kinds[ALL_KINDS] = {
    // These have the room of two doubles: a long double, or a double and an int.
    [LONG_SUM] = {"long numbers by sum", 2, 0, NULL},
    [LONG_MAX_OF] = {"long numbers by max", 2, 0, NULL},
    [MAXIMUM_AND_PLACE] = {"maxima with their places", 2, 0, NULL},
    [MINIMUM_AND_PLACE] = {"minima with their places", 2, 0, NULL},
};
const struct kind* const kinds = all_kinds;
const int kind_count = ALL_KINDS, combines_for_all = 1;

static MPI_Op operators[ALL_KINDS];
static MPI_Datatype types[ALL_KINDS];

static void combine(void* left, void* right, int* count, MPI_Datatype* type) {
  (void)type;
  current->combine(right, left, right, *count);
}

int start(int* argc, char*** argv, int* rank) {
  int ranks = 0;
  MPI_Init(argc, argv);
  MPI_Comm_rank(MPI_COMM_WORLD, rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  memcpy(all_kinds, own_kinds, sizeof own_kinds);
  for (int i = 0; i < SUM; ++i) {
    MPI_Op_create(combine, !kinds[i].ordered, &operators[i]);
    MPI_Type_contiguous(kinds[i].doubles, MPI_DOUBLE, &types[i]);
    MPI_Type_commit(&types[i]);
  }
  operators[SUM] = operators[LONG_SUM] = MPI_SUM;
  operators[MAX] = operators[LONG_MAX_OF] = MPI_MAX;
  operators[MAXIMUM_AND_PLACE] = MPI_MAXLOC;
  operators[MINIMUM_AND_PLACE] = MPI_MINLOC;
  types[SUM] = types[MAX] = MPI_DOUBLE;
  types[LONG_SUM] = types[LONG_MAX_OF] = MPI_LONG_DOUBLE;
  types[MAXIMUM_AND_PLACE] = types[MINIMUM_AND_PLACE] = MPI_DOUBLE_INT;
  return ranks;
}

void finish(void) {
  for (int i = 0; i < SUM; ++i) {
    MPI_Op_free(&operators[i]);
    MPI_Type_free(&types[i]);
  }
  MPI_Finalize();
}

// Makes numbers of the second kind of the doubles, and clears what no number uses.
static void prepare(const struct kind* kind, double* x, int count) {
  for (int i = 0; i < count && kind - kinds >= LONG_SUM; ++i, x += 2) {
    const double value = x[0], second = x[1];
    memset(x, 0, 2 * sizeof *x);
    if (kind - kinds <= LONG_MAX_OF) {
      const long double number = value + second * 1e-17L;
      memcpy(x, &number, 10);
    } else {
      const int place = second != second ? 7 : (int)(second * 1000);
      memcpy(x, &value, sizeof value);
      memcpy(x + 1, &place, sizeof place);
    }
  }
}

// The bytes after the ten of a long double and the holes of a pair are no result.
static void clear(const struct kind* kind, double* x, int count) {
  const size_t used = kind - kinds <= LONG_MAX_OF ? 10 : sizeof(double) + sizeof(int);
  for (int i = 0; i < count && kind - kinds >= LONG_SUM; ++i, x += 2)
    memset((char*)x + used, 0, 2 * sizeof *x - used);
}

int takes_whole_vectors(const struct kind* kind) {
  return kind->combine != NULL && kind->doubles > 2;
}

void combine_for_all(const struct kind* kind, double* x, int count) {
  const long i = kind - kinds;
  const size_t bytes = (size_t)count * (size_t)kind->doubles * sizeof *x;
  prepare(kind, x, count);
  if (count % 2 == 0) {
    MPI_Allreduce(MPI_IN_PLACE, x, count, types[i], operators[i], MPI_COMM_WORLD);
  } else {
    double* const copy = malloc(bytes);
    memcpy(copy, x, bytes);
    MPI_Allreduce(copy, x, count, types[i], operators[i], MPI_COMM_WORLD);
    free(copy);
  }
  clear(kind, x, count);
}

int combine_at(const struct kind* kind, double* x, int count, int root) {
  const long i = kind - kinds;
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  prepare(kind, x, count);
  MPI_Reduce(rank == root ? MPI_IN_PLACE : x, x, count, types[i], operators[i], root,
             MPI_COMM_WORLD);
  clear(kind, x, count);
  return 1;
}

void collect(uint64_t mine, uint64_t* all) {
  MPI_Allgather(&mine, 1, MPI_UINT64_T, all, 1, MPI_UINT64_T, MPI_COMM_WORLD);
}
