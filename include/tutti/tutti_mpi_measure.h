/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The part of the libraries libtutti-preload-* that `tutti tune --mpi` and benches call: it
 * measures calls of MPI by tutti and by the MPI, in turns, in one job. The program opens the
 * library and looks the function up by its name. */
#ifndef TUTTI_MPI_MEASURE_H
#define TUTTI_MPI_MEASURE_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A kind of call. `bytes` is the length of the vector of a broadcast or a reduction, of the result
 * of an allgatherv, and of each block of other calls. */
typedef struct {
  const char* operation; /* such as alltoallv */
  int mpi_combines;      /* 1: a reduction whose operator the MPI applies */
  int64_t bytes;
} tutti_mpi_cell;

typedef struct {
  int members;     /* the first processes of MPI_COMM_WORLD, which take part */
  int rounds;      /* turns of each side */
  double block_us; /* how long one side runs before the other one does */
  int by_rows;     /* 1: rows of the machine file count for tutti's side, too */
  int rewritten;   /* 1: each call finds input that was just written */
  int stop_early;  /* 1: no more turns when tutti is clearly faster */
} tutti_mpi_measurement;

/* Gets the times of a cell on rank 0: `count` times of a call in microseconds by tutti, and as many
 * by the MPI, of the slowest member each. */
typedef void (*tutti_mpi_turns_fn)(void* user, int cell, int count, const double* ours,
                                   const double* theirs);
/* Collective over MPI_COMM_WORLD, with the same arguments on all processes. Returns 0, or 1 if
 * tutti does not serve the job. */
typedef int (*tutti_mpi_measure_fn)(const tutti_mpi_measurement* how, int cells,
                                    const tutti_mpi_cell* list, tutti_mpi_turns_fn got, void* user);
#define TUTTI_MPI_MEASURE "tutti_mpi_measure"

#ifdef __cplusplus
}
#endif
#endif
