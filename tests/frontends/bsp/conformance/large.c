// SPDX-License-Identifier: BSD-3-Clause
// Tests large supersteps of changing sizes, one after the other: puts, gets and messages at once,
// at odd addresses. There are so many that blocks take turns.
#include "check.h"

enum { most = 150001, rounds = 100, kinds = 5 };

static const int sizes[kinds] = {most, 131072, 1500, 1, 40000};
static unsigned char source[most], area[most + 3], got[most], message[most];

static unsigned char byte_of(int pid, int round, int place) {
  return (unsigned char)(31 * pid + 7 * round + place + (place >> 8));
}

static int holds(const unsigned char* bytes, int size, int pid, int round) {
  for (int i = 0; i < size; ++i) {
    if (bytes[i] != byte_of(pid, round, i)) return 0;
  }
  return 1;
}

static void superstep(int p, int s, int round) {
  const int size = sizes[round % kinds], next = (s + 1) % p, before = (s + p - 1) % p;
  for (int i = 0; i < size; ++i) source[i] = byte_of(s, round, i);
  bsp_put((bsp_pid_t)next, source, area, 3, (bsp_size_t)size);
  bsp_get((bsp_pid_t)next, source, 0, got, (bsp_size_t)size);
  bsp_send((bsp_pid_t)next, NULL, source, (bsp_size_t)size);
  bsp_sync();
  CHECK(holds(area + 3, size, before, round));
  CHECK(holds(got, size, next, round));
  bsp_move(message, (bsp_size_t)size);
  CHECK(holds(message, size, before, round));
}

void check_large_supersteps(void) {
  const int p = (int)bsp_nprocs(), s = (int)bsp_pid();
  bsp_push_reg(area, BYTES(area));
  bsp_push_reg(source, BYTES(source));
  bsp_sync();
  for (int round = 0; round < rounds; ++round) superstep(p, s, round);
  bsp_pop_reg(area);
  bsp_pop_reg(source);
  bsp_sync();
}
