/* SPDX-License-Identifier: BSD-3-Clause */
/* A rank that writes numbered lines: `lines COUNT [early|own]`. early: a part of a line is
 * written before tutti_init; own: the program sets a buffer before tutti_init. With a count of 0
 * it writes one line and ends without flushing stdio. test_output.py runs it. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tutti/tutti.h>

static char buffer[1 << 16];

int main(int argc, char** argv) {
  const int count = argc > 1 ? atoi(argv[1]) : 1;
  const char* mode = argc > 2 ? argv[2] : "";
  if (strcmp(mode, "early") == 0) printf("early ");
  if (strcmp(mode, "own") == 0 && setvbuf(stdout, buffer, _IOFBF, sizeof buffer) != 0) return 2;
  if (tutti_init() != TUTTI_OK) return 3;
  const int rank = tutti_rank(tutti_world());
  if (tutti_barrier(tutti_world()) != TUTTI_OK) return 4; /* all write at once */
  for (int i = 0; i < count; ++i) printf("rank %d writes line %d, one of %d\n", rank, i, count);
  if (count == 0) {
    printf("rank %d says goodbye\n", rank);
    if (rank == 0) raise(SIGKILL);
  }
  if (tutti_barrier(tutti_world()) != TUTTI_OK) return 4;
  return tutti_finalize() != TUTTI_OK;
}
