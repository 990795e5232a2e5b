// SPDX-License-Identifier: BSD-3-Clause
// Tests supersteps of random puts, gets and messages at once. All processes draw the same numbers,
// so each knows the data that it must find: it applies the rules to a model of the memory of all
// processes.
#include "check.h"

enum { words = 64, most_processes = 32, rounds = 60, accesses = 40 };

static uint64_t state = 88172645463325252ULL;
static int draw(int below) {
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return (int)(state % (uint64_t)below);
}

static int model[most_processes][words], old_model[most_processes][words];
static int area[words];

// Each word of the area is written by at most one access, so the order of puts does not matter.
static void superstep(int p, int s, int direct) {
  int taken[most_processes][words];
  int expected_messages = 0;
  memset(taken, 0, sizeof taken);
  memcpy(old_model, model, sizeof model);
  for (int k = 0; k < accesses; ++k) {
    const int from = draw(p), to = draw(p), at = draw(words), source = draw(words), what = draw(3);
    const int value = draw(1 << 30);
    if (what == 2) {
      if (s == from) bsp_send((bsp_pid_t)to, NULL, &value, BYTES(value));
      expected_messages += s == to;
    } else if (what == 1) {  // `to` gets a word of `from`
      if (taken[to][at] != 0 || (direct && taken[from][source] != 0)) continue;
      taken[to][at] = 1;
      if (direct) taken[from][source] = 1;
      model[to][at] = old_model[from][source];
      const bsp_size_t offset = (bsp_size_t)(sizeof(int) * (size_t)source);
      if (s == to && !direct) bsp_get((bsp_pid_t)from, area, offset, &area[at], BYTES(int));
      if (s == to && direct) bsp_hpget((bsp_pid_t)from, area, offset, &area[at], BYTES(int));
    } else {
      if (taken[to][at] != 0) continue;
      taken[to][at] = 1;
      model[to][at] = value;
      const bsp_size_t offset = (bsp_size_t)(sizeof(int) * (size_t)at);
      if (s == from && !direct) bsp_put((bsp_pid_t)to, &value, area, offset, BYTES(int));
      if (s == from && direct) {
        static int kept[accesses];  // until the end of the superstep
        kept[k] = value;
        bsp_hpput((bsp_pid_t)to, &kept[k], area, offset, BYTES(int));
      }
    }
  }
  bsp_sync();
  CHECK(memcmp(area, model[s], sizeof area) == 0);
  bsp_nprocs_t messages = 0;
  bsp_qsize(&messages, NULL);
  CHECK((int)messages == expected_messages);
}

void check_random_supersteps(void) {
  const int p = (int)bsp_nprocs(), s = (int)bsp_pid();
  if (p > most_processes) return;
  for (int other = 0; other < p; ++other) {
    for (int i = 0; i < words; ++i) model[other][i] = mark(other, i);
  }
  memcpy(area, model[s], sizeof area);
  bsp_push_reg(area, BYTES(area));
  bsp_sync();
  for (int round = 0; round < rounds; ++round) superstep(p, s, round % 2);
  bsp_pop_reg(area);
  bsp_sync();
}
