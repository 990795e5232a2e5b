// SPDX-License-Identifier: BSD-3-Clause
// Tests when registrations begin and end, which one counts, and how those of different processes
// are paired.
#include "check.h"

// Areas are registered and deregistered so that slots are used again. The newest registration
// counts, with its size.
static void newest_counts(void) {
  const int p = (int)bsp_nprocs(), s = (int)bsp_pid();
  int x = 0, y = 0, v[4] = {0, 0, 0, 0};
  bsp_push_reg(&x, BYTES(x));
  bsp_push_reg(&y, BYTES(y));
  bsp_sync();
  bsp_pop_reg(&x);
  bsp_pop_reg(&y);
  bsp_push_reg(v, 4);
  bsp_sync();
  bsp_push_reg(v, 16);
  bsp_sync();
  const int value = mark(s, 12);
  bsp_put((bsp_pid_t)((s + 1) % p), &value, v, 12, 4);
  bsp_sync();
  CHECK(v[3] == mark((s + p - 1) % p, 12) && v[0] == 0);
  bsp_pop_reg(v);
  bsp_sync();
  // The older registration is in force again.
  bsp_put((bsp_pid_t)s, &value, v, 0, 4);
  bsp_sync();
  CHECK(v[0] == value);
  bsp_pop_reg(v);
  bsp_sync();
}

// A registration that ends can be used until the end of the superstep. One that begins can be used
// from the next superstep on.
static void last_superstep_counts(void) {
  const int p = (int)bsp_nprocs(), s = (int)bsp_pid();
  int old_one = 0, new_one = 0;
  bsp_push_reg(&old_one, BYTES(old_one));
  bsp_sync();
  bsp_pop_reg(&old_one);
  bsp_push_reg(&new_one, BYTES(new_one));
  const int value = mark(s, 1);
  bsp_put((bsp_pid_t)((s + 1) % p), &value, &old_one, 0, BYTES(value));
  bsp_sync();
  CHECK(old_one == mark((s + p - 1) % p, 1));
  bsp_put((bsp_pid_t)((s + 1) % p), &value, &new_one, 0, BYTES(value));
  bsp_sync();
  CHECK(new_one == mark((s + p - 1) % p, 1));
  bsp_pop_reg(&new_one);
  bsp_sync();
}

// The order of calls pairs registrations, not the address. Each process registers two areas, half
// of the processes in reverse order.
static void order_pairs(void) {
  const int p = (int)bsp_nprocs(), s = (int)bsp_pid();
  int a = 0, b = 0;
  int* const first = s % 2 == 0 ? &a : &b;
  int* const second = s % 2 == 0 ? &b : &a;
  bsp_push_reg(first, BYTES(a));
  bsp_push_reg(second, BYTES(b));
  bsp_sync();
  const int value = mark(s, 2);
  bsp_put((bsp_pid_t)((s + 1) % p), &value, first, 0, BYTES(value));
  bsp_sync();
  CHECK(*first == mark((s + p - 1) % p, 2) && *second == 0);
  bsp_pop_reg(first);
  bsp_pop_reg(second);
  bsp_sync();
}

// Process 0 registers memory, the others register NULL. Sizes differ between processes.
static void null_and_sizes(void) {
  const int p = (int)bsp_nprocs(), s = (int)bsp_pid();
  int* const all = s == 0 ? calloc((size_t)p, sizeof(int)) : NULL;
  int* const other = s == 0 ? calloc(1, sizeof(int)) : NULL;
  int own = 0;
  bsp_push_reg(all, s == 0 ? (bsp_size_t)(sizeof(int) * (size_t)p) : 0);
  bsp_push_reg(other, s == 0 ? BYTES(int) : 0);
  bsp_push_reg(&own, BYTES(own));
  bsp_sync();
  // On all but process 0, the newest registration of NULL is the second one. Process 0 passes
  // `other` for it.
  const int value = mark(s, 3);
  bsp_put(0, &value, other, 0, BYTES(value));
  bsp_sync();
  if (s == 0) CHECK(*other >= 1000);
  // The one process that has an address decides which registration the NULLs of the others end.
  bsp_pop_reg(all);
  bsp_sync();
  bsp_put(0, &value, other, 0, BYTES(value));
  bsp_put(0, &value, s == 0 ? &own : &own, 0, BYTES(value));
  bsp_sync();
  if (s == 0) CHECK(own >= 1000);
  bsp_pop_reg(&own);
  bsp_pop_reg(other);
  bsp_sync();
  free(all);
  free(other);
}

// A registration that begins and ends in one superstep leaves nothing behind.
static void begun_and_ended(void) {
  int x = 0;
  bsp_push_reg(&x, BYTES(x));
  bsp_pop_reg(&x);
  bsp_sync();
  bsp_push_reg(&x, BYTES(x));
  bsp_sync();
  bsp_pop_reg(&x);
  bsp_sync();
}

static void many(void) {
  enum { count = 200 };
  const int p = (int)bsp_nprocs(), s = (int)bsp_pid();
  static int areas[count][2];
  memset(areas, 0, sizeof areas);
  for (int i = 0; i < count; ++i) bsp_push_reg(areas[i], BYTES(areas[i]));
  bsp_sync();
  for (int i = 0; i < count; ++i) {
    const int value = mark(s, i);
    bsp_put((bsp_pid_t)((s + i) % p), &value, areas[i], BYTES(int), BYTES(int));
  }
  bsp_sync();
  for (int i = 0; i < count; ++i) CHECK(areas[i][1] == mark(((s - i) % p + p) % p, i));
  for (int i = 0; i < count; ++i) bsp_pop_reg(areas[i * 7 % count]);
  bsp_sync();
}

void check_registration(void) {
  newest_counts();
  last_superstep_counts();
  order_pairs();
  null_and_sizes();
  begun_and_ended();
  many();
}
