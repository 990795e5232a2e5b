// SPDX-License-Identifier: BSD-3-Clause
// Tests MulticoreBSP's bsp_direct_get: it returns with what is there, of memory of any kind, while
// others wait in calls of all processes, and it sees what the last superstep has delivered.
#include <tutti-bsp/bsp_level1.h>

#include "check.h"

enum { places = 8, rounds = 6, large = 30000 };

static int from(int pid, const int* registered, int place) {
  int found = -1;
  bsp_direct_get((bsp_pid_t)pid, registered, (bsp_size_t)((size_t)place * sizeof found), &found,
                 BYTES(found));
  return found;
}

// One process, another one in each round, gets from all, while the others are in a call of all
// processes already.
static void while_others_wait(const int* own, int round) {
  const int p = (int)bsp_nprocs(), s = (int)bsp_pid();
  if (s == round % p) {
    for (int pid = 0; pid < p; ++pid)
      CHECK(from(pid, own, round % places) == mark(pid, 10 * round + round % places));
  }
  CHECK(bsp_sumI(1) == p);
  int sum = s;
  bsp_bcast((bsp_pid_t)(p - 1), &sum, &sum, BYTES(sum));
  CHECK(sum == p - 1);
}

// All get from their neighbours at the same time.
static void from_neighbours(const int* own, const int* given, int round) {
  const int p = (int)bsp_nprocs(), s = (int)bsp_pid(), next = (s + 1) % p;
  for (int place = 0; place < places; ++place)
    CHECK(from(next, own, place) == mark(next, 10 * round + place));
  CHECK(from(next, given, 0) == mark(s, round));
  CHECK(from(s, given, 0) == mark((s + p - 1) % p, round));
}

static void long_ones(void) {
  const int p = (int)bsp_nprocs(), s = (int)bsp_pid(), before = (s + p - 1) % p;
  int* const many = malloc(large * sizeof *many);
  int* const got = malloc(large * sizeof *got);
  for (int i = 0; i < large; ++i) many[i] = mark(s, i);
  bsp_push_reg(many, (bsp_size_t)(large * sizeof *many));
  bsp_sync();
  bsp_direct_get((bsp_pid_t)before, many, 0, got, (bsp_size_t)(large * sizeof *many));
  for (int i = 0; i < large; ++i) CHECK(got[i] == mark(before, i));
  bsp_direct_get((bsp_pid_t)before, many, 0, got, 0);
  bsp_pop_reg(many);
  bsp_sync();
  free(many);
  free(got);
}

void check_direct_gets(void) {
  const int p = (int)bsp_nprocs(), s = (int)bsp_pid();
  int own[places], *const given = bsp_alloc(sizeof *given);
  bsp_push_reg(own, BYTES(own));
  bsp_push_reg(given, BYTES(*given));
  bsp_sync();
  for (int round = 0; round < rounds; ++round) {
    for (int place = 0; place < places; ++place) own[place] = mark(s, 10 * round + place);
    const int value = mark(s, round);
    bsp_put((bsp_pid_t)((s + 1) % p), &value, given, 0, BYTES(value));
    bsp_sync();
    from_neighbours(own, given, round);
    while_others_wait(own, round);
    bsp_sync();
  }
  bsp_pop_reg(own);
  bsp_pop_reg(given);
  bsp_sync();
  bsp_free(given);
  long_ones();
}
