/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A NaN of one rank, ties and zeros of both signs in allreduce. All ranks must get the same bits. A
 * NaN wins MPI_MAX and MPI_MIN, and of equal values MPI_MAXLOC and MPI_MINLOC take the lowest
 * place.
 */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <string.h>

struct pair {
  double value;
  int place;
};

static int same_everywhere(const void* x, int bytes) {
  char all_bits[64], some_bits[64];
  MPI_Allreduce(x, all_bits, bytes, MPI_BYTE, MPI_BAND, MPI_COMM_WORLD);
  MPI_Allreduce(x, some_bits, bytes, MPI_BYTE, MPI_BOR, MPI_COMM_WORLD);
  return memcmp(all_bits, some_bits, (size_t)bytes) == 0;
}

int main(int argc, char** argv) {
  int ranks, rank, same = 1, wins = 1, lowest = 1;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  for (int who = 0; who < ranks; ++who) {
    const double x = rank == who ? (double)NAN : rank + 1, zero = rank == who ? 0.0 : -0.0;
    double max, min, zero_max;
    MPI_Allreduce(&x, &max, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    MPI_Allreduce(&x, &min, 1, MPI_DOUBLE, MPI_MIN, MPI_COMM_WORLD);
    MPI_Allreduce(&zero, &zero_max, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    same = same && same_everywhere(&max, 8) && same_everywhere(&min, 8) &&
           same_everywhere(&zero_max, 8);
    wins = wins && isnan(max) && isnan(min);
    const struct pair with_nan = {x, rank};
    const struct pair tie = {rank >= who ? 4.5 : 1, 100 - rank};
    struct pair least, most;
    MPI_Allreduce(&with_nan, &least, 1, MPI_DOUBLE_INT, MPI_MINLOC, MPI_COMM_WORLD);
    same = same && same_everywhere(&least.value, 8) && same_everywhere(&least.place, 4);
    MPI_Allreduce(&tie, &most, 1, MPI_DOUBLE_INT, MPI_MAXLOC, MPI_COMM_WORLD);
    lowest = lowest && most.value == 4.5 && most.place == 100 - (ranks - 1);
  }
  if (rank == 0)
    printf("%s bits, %s wins, places of ties %s\n", same ? "same" : "DIFFERENT",
           wins ? "NaN" : "a number", lowest ? "right" : "WRONG");
  MPI_Finalize();
  return 0;
}
