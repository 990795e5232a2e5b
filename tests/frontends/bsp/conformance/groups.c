// SPDX-License-Identifier: BSD-3-Clause
// Tests groups: numbers, supersteps in which others take no part, groups in groups, and all other
// checks inside of a group.
#include "check.h"

static int put_to_next(int round) {
  const int p = (int)bsp_nprocs(), s = (int)bsp_pid();
  int* const area = calloc((size_t)p, sizeof *area);
  bsp_push_reg(area, (bsp_size_t)((size_t)p * sizeof *area));
  bsp_sync();
  const int value = mark(s, round);
  bsp_put((bsp_pid_t)((s + 1) % p), &value, area, (bsp_size_t)((size_t)s * sizeof *area),
          BYTES(value));
  bsp_sync();
  const int previous = (s + p - 1) % p, found = area[previous];
  bsp_pop_reg(area);
  bsp_sync();
  free(area);
  return found == mark(previous, round);
}

// Makes groups of the processes with even and with odd numbers, the highest first. Data that was
// put outside of the groups remains in flight meanwhile.
static void two_halves(void) {
  const int p = (int)bsp_nprocs(), s = (int)bsp_pid();
  int outside = -1;
  bsp_push_reg(&outside, BYTES(outside));
  bsp_sync();
  bsp_put((bsp_pid_t)((s + 1) % p), &s, &outside, 0, BYTES(s));
  const int group = bsp_group_split(s % 2, -s);
  CHECK(group > 0);
  bsp_group_enter(group);
  const int members = (p + 1 - s % 2) / 2;
  CHECK((int)bsp_nprocs() == members && (int)bsp_pid() == (p - 1 - s) / 2);
  for (int round = 0; round < 1 + 4 * (s % 2); ++round) CHECK(put_to_next(round));
  CHECK(outside == -1);
  bsp_group_leave();
  CHECK((int)bsp_nprocs() == p && (int)bsp_pid() == s && outside == -1);
  bsp_sync();
  CHECK(outside == (s + p - 1) % p);
  bsp_pop_reg(&outside);
  bsp_sync();
  bsp_group_free(group);
}

static void some_in_none(void) {
  const int p = (int)bsp_nprocs(), s = (int)bsp_pid();
  const int group = bsp_group_split(s == p - 1 ? -1 : 5, 0);
  CHECK((group == 0) == (s == p - 1));
  if (group == 0) return;
  bsp_group_enter(group);
  CHECK((int)bsp_nprocs() == p - 1 && (int)bsp_pid() == s);
  const int inner = bsp_group_split(s / 2, 0);
  CHECK(inner > group);
  bsp_group_enter(inner);
  CHECK((int)bsp_pid() == s % 2 && put_to_next(3));
  bsp_group_leave();
  CHECK(put_to_next(7));
  bsp_group_free(inner);
  bsp_group_leave();
  bsp_group_free(group);
}

// Two groups with the same members must have separate messages.
static void two_at_once(void) {
  const int p = (int)bsp_nprocs(), s = (int)bsp_pid();
  const int groups[2] = {bsp_group_split(1, s), bsp_group_split(1, s)};
  for (int g = 0; g < 2; ++g) {
    bsp_group_enter(groups[g]);
    for (int i = 0; i <= g; ++i) bsp_send((bsp_pid_t)((s + 1) % p), NULL, &i, BYTES(i));
    bsp_group_leave();
  }
  for (int g = 1; g >= 0; --g) {
    bsp_group_enter(groups[g]);
    bsp_sync();
    bsp_nprocs_t messages = 0;
    bsp_qsize(&messages, NULL);
    CHECK((int)messages == g + 1);
    bsp_group_leave();
  }
  for (int g = 0; g < 2; ++g) bsp_group_free(groups[g]);
}

void check_groups(void (*everything)(void)) {
  two_halves();
  some_in_none();
  two_at_once();
  const int group = bsp_group_split((int)bsp_pid() < 2, 0);
  bsp_group_enter(group);
  everything();
  bsp_group_leave();
  bsp_group_free(group);
  bsp_sync();
}
