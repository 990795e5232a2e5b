/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A program of MPI with the BLACS library that knows no MPI. With "late" it initialises MPI after
 * its first call of the BLACS, which it uses alone; with "handle" it passes a communicator as a
 * system handle.
 */
#include <mpi.h>
#include <stdio.h>
#include <string.h>
#include <tutti-blacs/tutti_blacs.h>

int main(int argc, char** argv) {
  int me, p, context;
  const int late = argc > 1 && strcmp(argv[1], "late") == 0;
  if (!late) MPI_Init(&argc, &argv);
  Cblacs_pinfo(&me, &p);
  if (late) MPI_Init(&argc, &argv);
  if (!late) Csys2blacs_handle(MPI_COMM_WORLD);
  Cblacs_get(-1, 0, &context);
  Cblacs_gridinit(&context, "Row", 1, p);
  Cblacs_barrier(context, "All");
  Cblacs_exit(1);
  MPI_Finalize();
  return 0;
}
