/* SPDX-License-Identifier: BSD-3-Clause
 *
 * whole NUMBERS: an operator that counts on all elements of a vector at once: it adds all numbers
 * but the last, of which it takes the maximum. By the standard it is wrong. Prints whether the
 * results are right, and how many calls had another length than the vector. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static int numbers, odd_lengths = 0;

static void sums_and_one_maximum(void* left, void* right, int* length, MPI_Datatype* type) {
  const int* const a = left;
  int* const b = right;
  (void)type;
  if (*length != numbers) ++odd_lengths;
  for (int i = 0; i < *length - 1; ++i) b[i] += a[i];
  if (a[*length - 1] > b[*length - 1]) b[*length - 1] = a[*length - 1];
}

int main(int argc, char** argv) {
  int rank, ranks, odd = 0, right = 1, all_right = 0;
  MPI_Op op;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  numbers = atoi(argv[1]);
  int* const in = calloc((size_t)numbers, sizeof *in);
  int* const out = calloc((size_t)numbers, sizeof *out);
  MPI_Op_create(sums_and_one_maximum, 1, &op);
  for (int turn = 0; turn < 20; ++turn) {
    for (int i = 0; i < numbers; ++i) in[i] = rank + i;
    MPI_Allreduce(in, out, numbers, MPI_INT, op, MPI_COMM_WORLD);
    for (int i = 0; i < numbers - 1; ++i)
      right = right && out[i] == ranks * (ranks - 1) / 2 + i * ranks;
    right = right && out[numbers - 1] == ranks - 1 + numbers - 1;
    MPI_Reduce(in, out, numbers, MPI_INT, op, turn % ranks, MPI_COMM_WORLD);
    if (rank == turn % ranks) right = right && out[numbers - 1] == ranks + numbers - 2;
  }
  MPI_Allreduce(&odd_lengths, &odd, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  MPI_Allreduce(&right, &all_right, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
  if (rank == 0) printf("%s, %d calls of another length\n", all_right ? "right" : "wrong", odd);
  MPI_Op_free(&op);
  MPI_Finalize();
  free(in);
  free(out);
  return 0;
}
