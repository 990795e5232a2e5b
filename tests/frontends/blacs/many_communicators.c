/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Makes so many contexts with communicators that an MPI of few has no more. The contexts that get
 * none must work all the same. Usage: under an MPI launcher: many_communicators
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <tutti-blacs/tutti_blacs.h>

void blacs_get_(const int* context, const int* what, int* value);

enum { many = 2200 };
static int contexts[many];

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int me, p, with = 0, wrong = 0;
  const int what = 10;
  Cblacs_pinfo(&me, &p);
  for (int i = 0; i < many; ++i) {
    int number = 0, size = p;
    Cblacs_get(-1, 0, &contexts[i]);
    Cblacs_gridinit(&contexts[i], "Row", 1, p);
    blacs_get_(&contexts[i], &what, &number);
    /* Numbers of this kind are handles without a communicator. */
    const int has_one = number < 0x3f000000 || number > 0x3fffffff;
    if (has_one) MPI_Comm_size(MPI_Comm_f2c(number), &size);
    with += has_one;
    wrong += size != p;
  }
  for (int i = many - 1; i >= 0; --i) {
    int sum = 1;
    if (i % 97 == 0) Cigsum2d(contexts[i], "All", " ", 1, 1, &sum, 1, -1, -1);
    wrong += i % 97 == 0 && sum != p;
    Cblacs_gridexit(contexts[i]);
  }
  if (me == 0) printf("%d of %d contexts had a communicator\n%d wrong\n", with, many, wrong);
  Cblacs_exit(0);
  return wrong != 0;
}
