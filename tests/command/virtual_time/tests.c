// SPDX-License-Identifier: BSD-3-Clause
// Starts a sum and looks in a loop until it is done. Prints "LOOKS NANOSECONDS" of the loop on each
// rank: how many looks were in vain, and for how long they have taken.
#include <stdio.h>
#include <stdlib.h>
#include <tutti/tutti.h>
#include <tutti/tutti_runtime.h>
#include <tutti/tutti_time.h>

static void must(tutti_status status) {
  if (status == TUTTI_OK) return;
  fprintf(stderr, "%s\n", tutti_error_text());
  exit(1);
}

int main(void) {
  enum { count = 20 };
  static double from[count], to[count];
  must(tutti_init());
  const int me = tutti_rank(tutti_world()), p = tutti_size(tutti_world());
  const tutti_data in = tutti_array(from, count, TUTTI_DOUBLE);
  const tutti_data out = tutti_array(to, count, TUTTI_DOUBLE);
  for (int turn = 1; turn <= 2; ++turn) {
    for (int i = 0; i < count; ++i) from[i] = turn * i + me;
    tutti_spend_time((uint64_t)me * 1000);
    tutti_request request;
    must(tutti_iallreduce(tutti_world(), &in, &out, TUTTI_SUM, &request));
    const uint64_t begin = tutti_nanoseconds();
    int done = 0, looks = 0;
    for (;; ++looks) {
      must(tutti_test(&request, &done));
      if (done) break;
    }
    printf("%d %llu\n", looks, (unsigned long long)(tutti_nanoseconds() - begin));
    for (int i = 0; i < count; ++i)
      if (to[i] != (double)p * turn * i + p * (p - 1) / 2.0) return 3;
  }
  must(tutti_finalize());
  return 0;
}
