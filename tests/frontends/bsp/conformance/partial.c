// SPDX-License-Identifier: BSD-3-Clause
// Tests supersteps that do not wait for all processes. The received data is right for any order of
// processes, and a process that expects no data waits for none.
#include "check.h"

enum { rounds = 60, places = 8 };

static int *area, *direct;

// Processes are late in turn, so that others run ahead of them.
static void be_late(int round) {
  for (volatile int i = 0; i < (round + (int)bsp_pid()) % 5 * 20000; ++i) {
  }
}

// Process s sends its right neighbour some puts, one of them direct, and some messages of many
// sizes.
static int messages_of(int s, int round) {
  return (s + round) % 3;
}
static void send_right(int round) {
  const int p = (int)bsp_nprocs(), s = (int)bsp_pid();
  const bsp_pid_t to = (bsp_pid_t)((s + 1) % p);
  const int value = mark(s, round);
  const bsp_size_t place = (bsp_size_t)((size_t)(round % places) * sizeof value);
  bsp_put(to, &value, area, place, BYTES(value));
  bsp_hpput(to, &value, direct, place, BYTES(value));
  int payload[300];
  for (int i = 0; i < 300; ++i) payload[i] = value + i;
  for (int m = 0; m < messages_of(s, round); ++m) {
    bsp_send(to, NULL, payload, (bsp_size_t)((size_t)((round * 37 + m) % 300) * sizeof *payload));
  }
}

static void check_left(int round) {
  const int p = (int)bsp_nprocs(), s = (int)bsp_pid(), left = (s + p - 1) % p;
  CHECK(area[round % places] == mark(left, round) && direct[round % places] == mark(left, round));
  bsp_nprocs_t messages = 0;
  bsp_qsize(&messages, NULL);
  CHECK((int)messages == messages_of(left, round));
  void *tag = NULL, *payload = NULL;
  for (int m = 0; m < (int)messages; ++m) {
    const int words = (int)((size_t)bsp_hpmove(&tag, &payload) / sizeof(int));
    for (int i = 0; i < words; ++i) CHECK(((int*)payload)[i] == mark(left, round) + i);
  }
}

// A round usually ends by counts or among neighbours, now and then for all processes.
static void end_round(int round, bsp_nprocs_t* counts) {
  const int p = (int)bsp_nprocs(), s = (int)bsp_pid(), left = (s + p - 1) % p;
  const bsp_pid_t neighbours[2] = {(bsp_pid_t)left, (bsp_pid_t)((s + 1) % p)};
  for (int q = 0; q < p; ++q) counts[q] = 0;
  counts[left] = (bsp_nprocs_t)(2 + messages_of(left, round));
  if (round % 17 == 16) {
    bsp_sync();
  } else if (round % 3 == 2) {
    bsp_sync_neighbours(2, neighbours);
  } else {
    bsp_sync_counts(counts);
  }
}

static void ring(void) {
  bsp_nprocs_t* const counts = calloc((size_t)bsp_nprocs(), sizeof *counts);
  for (int round = 0; round < rounds; ++round) {
    be_late(round);
    send_right(round);
    end_round(round, counts);
    check_left(round);
  }
  for (int q = 0; q < (int)bsp_nprocs(); ++q) counts[q] = 0;
  bsp_sync_counts(counts);
  bsp_sync_neighbours(0, NULL);
  free(counts);
  bsp_sync();
}

// The last process ends its superstep only after process 0 has told it, by other means, that
// process 0 has ended its own.
void check_nobody_waits(void) {
  const int p = (int)bsp_nprocs(), s = (int)bsp_pid();
  bsp_nprocs_t* const counts = calloc((size_t)p, sizeof *counts);
  int word = 4711;
  const tutti_data data = tutti_array(&word, 1, TUTTI_INT32);
  if (s == p - 1 && p > 1) CHECK(tutti_receive(tutti_world(), &data, 0, 1, NULL, NULL) == TUTTI_OK);
  bsp_sync_counts(counts);
  bsp_sync_neighbours(0, NULL);
  if (s == 0 && p > 1) CHECK(tutti_send(tutti_world(), &data, p - 1, 1) == TUTTI_OK);
  free(counts);
  bsp_sync();
}

void check_partial_supersteps(void) {
  area = calloc(places, sizeof *area);
  direct = bsp_alloc(places * sizeof *direct);
  bsp_push_reg(area, (bsp_size_t)(places * sizeof *area));
  bsp_push_reg(direct, (bsp_size_t)(places * sizeof *direct));
  bsp_sync();
  ring();
  bsp_pop_reg(direct);
  bsp_pop_reg(area);
  bsp_sync();
  bsp_free(direct);
  free(area);
}
