// SPDX-License-Identifier: BSD-3-Clause
// Makes the mistake that its argument names and ignores every status, as many programs in C do. It
// must never reach its end. With "pushed" it makes a mistake that must be ignored, between
// tutti_errors_push_return and tutti_errors_pop.
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <tutti/tutti.h>
#include <unistd.h>

static int is(const char* mistake, const char* name) {
  return strcmp(mistake, name) == 0;
}

static void make(const char* mistake, tutti_group world) {
  const int rank = tutti_rank(world);
  double x[8] = {0};
  const tutti_data one = tutti_array(x, 1, TUTTI_DOUBLE), other = tutti_array(x, 1, TUTTI_INT64);
  const tutti_data few = tutti_array(x, rank == 0 ? 8 : 4, TUTTI_DOUBLE);
  const tutti_data* mine = rank == 0 ? &other : &one;
  tutti_group group;
  if (is(mistake, "calls"))
    rank == 2 ? tutti_barrier(world) : tutti_allreduce(world, &one, &one, TUTTI_SUM);
  if (is(mistake, "counts")) tutti_allreduce(world, &few, &few, TUTTI_SUM);
  if (is(mistake, "types")) tutti_allreduce(world, mine, mine, TUTTI_SUM);
  if (is(mistake, "root")) tutti_bcast(world, &one, 9);
  if (is(mistake, "roots")) tutti_bcast(world, &one, rank == 1);
  if (is(mistake, "one")) rank == 0 ? tutti_bcast(world, &one, 0) : TUTTI_OK;
  if (is(mistake, "stale")) {
    tutti_group_dup(world, &group);
    tutti_group_free(group);
    tutti_size(group);
  }
  if (is(mistake, "pushed")) {
    tutti_errors_push_return();
    tutti_errors_end();
    tutti_bcast(world, &one, 9);
    tutti_errors_pop();
    tutti_bcast(world, &one, 7);
  }
}

// Returns in the child only. The parent leaves the job properly, with the child's exit code.
static void go_on_as_child(void) {
  int status = 0;
  fflush(stdout);
  if (fork() == 0) return;
  wait(&status);
  tutti_finalize();
  _exit(WIFEXITED(status) ? WEXITSTATUS(status) : 0);
}

int main(int argc, char** argv) {
  const char* mistake = argc > 1 ? argv[1] : "none";
  if (!is(mistake, "uninitialised")) tutti_init();
  printf("rank %d of %d\n", tutti_rank(tutti_world()), tutti_size(tutti_world()));
  if (is(mistake, "finalized")) tutti_finalize();
  if (is(mistake, "forked") || is(mistake, "forked again")) go_on_as_child();
  if (is(mistake, "forked again")) tutti_init();
  make(mistake, tutti_world());
  tutti_finalize();
  printf("came to its end\n");
  return 0;
}
