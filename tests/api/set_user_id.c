// SPDX-License-Identifier: BSD-3-Clause
// Says whether this program runs with rights that its caller does not have, and what it reads of
// the environment. Then it takes part in a job.
#include <stdio.h>
#include <sys/auxv.h>
#include <tutti/tutti.h>
#include <tutti/tutti_runtime.h>

int main(void) {
  char file[200] = "";
  tutti_setting_text("TUTTI_EXPLAIN", file, sizeof file);
  printf("secure %d, file '%s'\n", getauxval(AT_SECURE) != 0, file);
  fflush(stdout);
  tutti_init();
  printf("rank %d of %d\n", tutti_rank(tutti_world()), tutti_size(tutti_world()));
  return tutti_finalize();
}
