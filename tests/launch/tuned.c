/* SPDX-License-Identifier: BSD-3-Clause
 * With the argument "fails", rank 0 exits with an error while rank 1 computes for some seconds.
 * Otherwise rank 0 of a job with one spare rank starts a task, and asks for a second one that has
 * to wait until the first has left its place. The argument says how the first leaves: "late" (it
 * leaves the job after a second) or "slowly" (it leaves at once, and ends three seconds later). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <tutti/tutti_runtime.h>

static void nap(int milliseconds) {
  const struct timespec time = {milliseconds / 1000, milliseconds % 1000 * 1000000L};
  nanosleep(&time, NULL);
}

static int be_task(const char* how) {
  if (strcmp(how, "late") == 0) nap(1000);
  if (tutti_finalize() != TUTTI_OK) return 1;
  if (strcmp(how, "slowly") == 0) nap(3000);
  return 0;
}

static int fail_or_compute(void) {
  if (tutti_rank(tutti_world()) == 0) {
    nap(300);
    exit(3);
  }
  nap(2500);
  printf("still here\n");
  return tutti_finalize() != TUTTI_OK;
}

int main(int argc, char** argv) {
  const char* const how = argc > 1 ? argv[1] : "";
  tutti_errors_return();
  if (tutti_init() != TUTTI_OK) return 1;
  if (strcmp(how, "fails") == 0) return fail_or_compute();
  if (tutti_parent() >= 0) return be_task(how);
  const char* first_words[] = {how, NULL};
  const char* second_words[] = {"at once", NULL};
  int first = -1, second = -1;
  if (tutti_spawn(argv[0], first_words, 1, &first) != TUTTI_OK) return 2;
  while (strcmp(how, "slowly") == 0 && tutti_present(first) != 0) nap(1);
  const tutti_status status = tutti_spawn(argv[0], second_words, 1, &second);
  printf("%s\n", status == TUTTI_OK        ? "a second task"
                 : status == TUTTI_NO_SLOT ? "no place"
                                           : tutti_error_text());
  return tutti_finalize() != TUTTI_OK;
}
