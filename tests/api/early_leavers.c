/* SPDX-License-Identifier: BSD-3-Clause
 * Ranks that have done their part may leave while the root still waits for a slow one: nobody is
 * missing, so the job must not be ended. Run with at least 3 processes. */
#include <stdio.h>
#include <tutti/tutti.h>
#include <unistd.h>

int main(void) {
  if (tutti_init() != TUTTI_OK) return 1;
  const int me = tutti_rank(tutti_world()), p = tutti_size(tutti_world());
  double x = me, sum = 0;
  const tutti_data from = tutti_array(&x, 1, TUTTI_DOUBLE), to = tutti_array(&sum, 1, TUTTI_DOUBLE);
  if (me == p - 1) usleep(1000000);
  if (tutti_reduce(tutti_world(), &from, me == 0 ? &to : NULL, TUTTI_SUM, 0) != TUTTI_OK) {
    fprintf(stderr, "%s\n", tutti_error_text());
    return 1;
  }
  if (me == 0 && sum != p * (p - 1) / 2) return 1;
  return tutti_finalize() == TUTTI_OK ? 0 : 1;
}
