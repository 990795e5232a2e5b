// SPDX-License-Identifier: BSD-3-Clause
// Tests the order of gets and puts, buffering, sizes, and direct access to memory of bsp_alloc.
#include "check.h"

// In a superstep, gets read first, then gets write, then puts write.
static void order(void) {
  const int p = (int)bsp_nprocs(), s = (int)bsp_pid();
  const int left = (s + p - 1) % p, right = (s + 1) % p;
  int x = mark(s, 1), y = mark(s, 2);
  bsp_push_reg(&x, BYTES(x));
  bsp_push_reg(&y, BYTES(y));
  bsp_sync();
  // A chain of gets rotates values: no process reads data that another get has written.
  bsp_get((bsp_pid_t)right, &x, 0, &x, BYTES(x));
  bsp_sync();
  CHECK(x == mark(right, 1));
  // A get reads the value at the sync, not at the call, and not the value that a put brings.
  x = mark(s, 1);
  int seen = 0;
  const int brought = mark(s, 9);
  bsp_get((bsp_pid_t)right, &x, 0, &seen, BYTES(x));
  bsp_put((bsp_pid_t)left, &brought, &x, 0, BYTES(x));
  x = mark(s, 5);
  bsp_sync();
  CHECK(seen == mark(right, 5) && x == mark(right, 9));
  // A put wins over a get with the same destination.
  bsp_get((bsp_pid_t)right, &x, 0, &y, BYTES(y));
  bsp_put((bsp_pid_t)left, &brought, &y, 0, BYTES(y));
  bsp_sync();
  CHECK(y == mark(right, 9));
  bsp_pop_reg(&x);
  bsp_pop_reg(&y);
  bsp_sync();
}

// The source of a put may be changed after the call. Overlapping puts arrive in some order, each as
// a whole.
static void buffering_and_overlap(void) {
  const int p = (int)bsp_nprocs(), s = (int)bsp_pid();
  enum { length = 1000 };
  static int area[length];
  int data[length];
  bsp_push_reg(area, BYTES(area));
  bsp_sync();
  for (int i = 0; i < length; ++i) data[i] = mark(s, 0);
  bsp_put(0, data, area, 0, BYTES(data));
  memset(data, 0, sizeof data);
  bsp_sync();
  if (s == 0) {
    CHECK(area[0] >= 1000 && area[0] <= mark(p - 1, 0));
    for (int i = 1; i < length; ++i) CHECK(area[i] == area[0]);
  }
  bsp_pop_reg(area);
  bsp_sync();
}

// With n = 0 a call has no effect and is never an error.
static void nothing(void) {
  int x = 5;
  bsp_push_reg(&x, BYTES(x));
  bsp_sync();
  bsp_put(0, &x, &x, 400, 0);
  bsp_get(0, &x, 400, &x, 0);
  bsp_hpput(0, NULL, &x, 400, 0);
  bsp_hpget(0, NULL, 400, NULL, 0);
  bsp_sync();
  CHECK(x == 5);
  bsp_pop_reg(&x);
  bsp_sync();
}

// Sizes go from one byte to more than any buffer, in both directions, at odd offsets.
static void sizes(void) {
  const int p = (int)bsp_nprocs(), s = (int)bsp_pid();
  const int right = (s + 1) % p;
  enum { most = 1 << 20 };
  unsigned char* const area = malloc(most);
  unsigned char* const source = malloc(most);
  unsigned char* const copy = malloc(most);
  memset(area, 0, most);
  for (int i = 0; i < most; ++i) source[i] = (unsigned char)(i * 7 + s);
  bsp_push_reg(area, most);
  bsp_sync();
  static const int lengths[] = {1, 3, 8, 9, 63, 64, 65, 4031, 4096, 70001, most - 5};
  for (size_t k = 0; k < sizeof lengths / sizeof *lengths; ++k) {
    bsp_put((bsp_pid_t)right, source + 1, area, 5,
            (bsp_size_t)(lengths[k] < 2 ? 1 : lengths[k] - 1));
    bsp_sync();
    bsp_get((bsp_pid_t)right, area, 3, copy, (bsp_size_t)lengths[k]);
    bsp_sync();
    const int left = (s + p - 1) % p;
    const int bytes = lengths[k] < 2 ? 1 : lengths[k] - 1;
    for (int i = 0; i < bytes; ++i) CHECK(area[5 + i] == (unsigned char)((i + 1) * 7 + left));
    for (int i = 2; i < lengths[k] && i - 2 < bytes; ++i)
      CHECK(copy[i] == (unsigned char)((i - 1) * 7 + s));
  }
  bsp_pop_reg(area);
  bsp_sync();
  free(area);
  free(source);
  free(copy);
}

void check_puts_and_gets(void) {
  order();
  buffering_and_overlap();
  nothing();
  sizes();
}

// A slow process still has to write data of the last superstep. It must not overwrite data that a
// fast process then writes directly.
static void direct_after_buffered(int* shared, int n) {
  const int p = (int)bsp_nprocs(), s = (int)bsp_pid();
  const int right = (s + 1) % p, left = (s + p - 1) % p;
  int* const data = malloc(sizeof(int) * (size_t)n);
  for (int round = 0; round < 20; ++round) {
    for (int i = 0; i < n; ++i) data[i] = mark(s, 2 * round);
    bsp_put((bsp_pid_t)right, data, shared, 0, (bsp_size_t)(sizeof(int) * (size_t)n));
    bsp_sync();
    const int value = mark(s, 2 * round + 1);
    int seen = 0;
    bsp_hpput((bsp_pid_t)right, &value, shared, (bsp_size_t)(sizeof(int) * (size_t)(n - 1)),
              BYTES(value));
    bsp_hpget((bsp_pid_t)right, shared, 0, &seen, BYTES(seen));
    bsp_sync();
    CHECK(shared[n - 1] == mark(left, 2 * round + 1));
    CHECK(seen == mark(s, 2 * round));
  }
  free(data);
}

void check_direct_access(void) {
  enum { n = 3000 };
  const int p = (int)bsp_nprocs(), s = (int)bsp_pid();
  int* const shared = bsp_alloc(n * sizeof(int));
  int private_memory[4] = {0, 0, 0, 0};
  CHECK(shared != NULL);
  memset(shared, 0, n * sizeof(int));
  bsp_push_reg(shared, n * (bsp_size_t)sizeof(int));
  bsp_push_reg(private_memory, BYTES(private_memory));
  bsp_sync();
  direct_after_buffered(shared, n);
  const int value = mark(s, 77);
  int seen = 0;
  bsp_hpput((bsp_pid_t)((s + 1) % p), &value, private_memory, 8, BYTES(value));
  bsp_sync();
  CHECK(private_memory[2] == mark((s + p - 1) % p, 77));
  bsp_hpget((bsp_pid_t)((s + 1) % p), private_memory, 8, &seen, BYTES(seen));
  bsp_sync();
  CHECK(seen == mark(s, 77));
  // Buffered access to the same memory still obeys its rules.
  bsp_get((bsp_pid_t)((s + 1) % p), shared, 0, &seen, BYTES(seen));
  bsp_put((bsp_pid_t)((s + 1) % p), &value, shared, 0, BYTES(value));
  shared[0] = mark(s, 78);
  bsp_sync();
  CHECK(seen == mark((s + 1) % p, 78) && shared[0] == mark((s + p - 1) % p, 77));
  bsp_pop_reg(private_memory);
  bsp_pop_reg(shared);
  // The memory is there until the superstep ends.
  bsp_get((bsp_pid_t)((s + 1) % p), shared, 0, &seen, BYTES(seen));
  shared[0] = mark(s, 79);
  bsp_free(shared);
  bsp_sync();
  CHECK(seen == mark((s + 1) % p, 79));
}
