/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Measures supersteps of equal messages, and empty ones. Direct access uses memory of bsp_alloc
 * if the library has it.
 */
#include <bsp.h>
#include <bsp_tutti.h>
#include <stdlib.h>
#include <string.h>

#include "measure.h"

const char* const access_names[kinds_of_access] = {"put",   "hpput", "get",
                                                   "hpget", "send",  "exchange"};
const char* const pattern_names[kinds_of_pattern] = {"random", "all-to-all", "own"};

static double *source, *target, *direct_target;
static int reserved;  /* words of each process in the targets; the source has twice as many */
static int* partners; /* random permutation without fixed points, the same on all processes */
static unsigned int random_state = 12345;

#ifdef TUTTI_BSP_H
static void* shared_memory(size_t bytes) {
  return bsp_alloc(bytes);
}
static void give_back(void* memory) {
  bsp_free(memory);
}
#else
static void* shared_memory(size_t bytes) {
  return malloc(bytes);
}
static void give_back(void* memory) {
  free(memory);
}
#endif

int draw(int below) {
  random_state = random_state * 1103515245u + 12345u;
  return (int)(random_state / 65536u % (unsigned int)below);
}

/* Draws one cycle through all processes in random order. */
static void draw_partners(void) {
  const int p = bsp_nprocs();
  int* const order = malloc((size_t)p * sizeof(int));
  for (int i = 0; i < p; ++i) order[i] = i;
  for (int i = p - 1; i > 0; --i) {
    const int k = draw(i + 1), kept = order[i];
    order[i] = order[k];
    order[k] = kept;
  }
  for (int i = 0; i < p; ++i) partners[order[i]] = order[(i + 1) % p];
  free(order);
}

void begin_g(int words) {
  const size_t bytes = (size_t)words * sizeof(double);
  const int p = bsp_nprocs();
  reserved = words;
  source = malloc(2 * bytes);
  target = malloc(bytes * (size_t)p);
  direct_target = shared_memory(bytes * (size_t)p);
  partners = malloc((size_t)p * sizeof(int));
  memset(source, 0, 2 * bytes);
  memset(target, 0, bytes * (size_t)p);
  memset(direct_target, 0, bytes * (size_t)p);
  bsp_push_reg(target, (int)(bytes * (size_t)p));
  bsp_push_reg(direct_target, (int)(bytes * (size_t)p));
  bsp_sync();
}

void end_g(void) {
  bsp_pop_reg(target);
  bsp_pop_reg(direct_target);
  bsp_sync();
  give_back(direct_target);
  free(source);
  free(target);
  free(partners);
}

/* Does one access. `at` counts words in the source, `there` in the target; a get is the reverse
 * of a put. */
static void access_one(access_kind access, int pid, int at, int there, int size) {
  const int bytes = size * (int)sizeof(double), offset = there * (int)sizeof(double);
  switch (access) {
    case by_put:
      bsp_put(pid, source + at, target, offset, bytes);
      break;
    case by_hpput:
      bsp_hpput(pid, source + at, direct_target, offset, bytes);
      break;
    case by_get:
      bsp_get(pid, target, offset, source + at, bytes);
      break;
    case by_hpget:
      bsp_hpget(pid, direct_target, offset, source + at, bytes);
      break;
    default:
      bsp_send(pid, NULL, source + at, bytes);
  }
}

static void receive_all(void) {
  int messages = 0, bytes = 0;
  bsp_qsize(&messages, &bytes);
  for (int at = 0; messages > 0; --messages) {
    int status = 0;
    bsp_get_tag(&status, NULL);
    bsp_move(target + at, status);
    at += status / (int)sizeof(double);
  }
}

/* Returns the process to which this one sends in the step, or from which it gets. */
static int target_of(pattern_kind pattern, int step) {
  const int p = bsp_nprocs(), s = bsp_pid();
  return pattern == all_to_all ? (s + step) % p : pattern == to_itself ? s : partners[s];
}

/* An exchange sends a part to this process, too. It is a superstep by itself. */
static void superstep(pattern_kind pattern, access_kind access, int size, int count) {
  const int p = bsp_nprocs(), s = bsp_pid();
  if (access == by_exchange) {
    bsp_total_exchange(source, target, size * (int)sizeof(double));
    return;
  }
  for (int step = 1; step < (pattern == all_to_all ? p : 2); ++step) {
    const int pid = target_of(pattern, step);
    const int first = pattern == all_to_all ? (step - 1) * size * count : 0;
    /* Every process writes to a place of its own. */
    const int there = pattern == all_to_all ? s * size * count : 0;
    for (int i = 0; i < count; ++i)
      access_one(access, pid, first + i * size, there + i * size, size);
  }
  bsp_sync();
  if (access == by_send) receive_all();
}

/* Returns the process that this one reads from in the step, or the process that writes to it. */
static int partner_of(pattern_kind pattern, int step, int reading) {
  const int p = bsp_nprocs(), s = bsp_pid();
  if (pattern == all_to_all) return (s + (reading ? step : p - step)) % p;
  if (pattern == to_itself) return s;
  int pid = reading ? partners[s] : 0;
  while (!reading && partners[pid] != s) ++pid;
  return pid;
}

static double word_of(int pid, int place) {
  return (double)pid * (1 << 28) + place;
}

static void fill(double* words, int count, int known) {
  for (int i = 0; i < count; ++i) words[i] = known ? word_of(bsp_pid(), i) : -1;
}

/* Messages come in any order, so only their sum can be checked. */
static int as_expected(pattern_kind pattern, access_kind access, int size, int count) {
  const int block = size * count, reading = access == by_get || access == by_hpget;
  const double* const found = reading ? source : access == by_hpput ? direct_target : target;
  double missing = 0;
  int wrong = 0;
  for (int step = 1; step < (pattern == all_to_all ? bsp_nprocs() : 2); ++step) {
    const int pid = partner_of(pattern, step, reading);
    const int first = access == by_exchange   ? bsp_pid() * block
                      : pattern == all_to_all ? (step - 1) * block
                                              : 0;
    const int there = pattern == all_to_all ? (reading ? bsp_pid() : pid) * block : 0;
    for (int i = 0; i < block; ++i) {
      const double expected = word_of(pid, (reading ? there : first) + i);
      const double word = found[(reading || access == by_send ? first : there) + i];
      wrong |= access != by_send && word != expected;
      missing += expected - word;
    }
  }
  return !wrong && missing == 0;
}

void check_g(pattern_kind pattern, access_kind access, int size, int count) {
  const int p = bsp_nprocs(), reading = access == by_get || access == by_hpget;
  if (size * count * (pattern == all_to_all ? p - 1 : 1) > reserved) return;
  draw_partners();
  fill(source, 2 * reserved, !reading);
  fill(target, reserved * p, reading);
  fill(direct_target, reserved * p, reading);
  bsp_sync();
  superstep(pattern, access, size, count);
  if (!as_expected(pattern, access, size, count)) {
    bsp_abort("%s, %s: %d messages of %d words arrive wrong at process %d\n",
              pattern_names[pattern], access_names[access], count, size, bsp_pid());
  }
}

/* Process 0 determines the number of repetitions, so that all processes make equally many
 * supersteps. */
static int agree(int repeats) {
  static int shared;
  shared = repeats;
  bsp_push_reg(&shared, sizeof shared);
  bsp_sync();
  for (int pid = 1; pid < bsp_nprocs() && bsp_pid() == 0; ++pid)
    bsp_put(pid, &repeats, &shared, 0, sizeof shared);
  bsp_pop_reg(&shared);
  bsp_sync();
  return shared;
}

double measure_g(pattern_kind pattern, access_kind access, int size, int count) {
  const int others = bsp_nprocs() - 1;
  double best = 1e30;
  int repeats = 1;
  draw_partners();
  for (int series = 0; series <= measure_series; ++series) {
    bsp_sync();
    const double start = bsp_time();
    for (int i = 0; i < repeats; ++i) superstep(pattern, access, size, count);
    const double each = (bsp_time() - start) / repeats;
    if (series == 0)
      repeats = agree(each >= measure_seconds ? 1 : (int)(measure_seconds / each) + 1);
    if (series > 0 && each < best) best = each;
  }
  return best / ((double)size * count * (pattern == all_to_all ? others : 1));
}

double measure_l(before_sync before) {
  double best = 1e30;
  const int p = bsp_nprocs(), s = bsp_pid();
  int repeats = 10;
  for (int series = 0; series <= 4 * measure_series; ++series) {
    bsp_sync();
    const double start = bsp_time();
    for (int i = 0; i < repeats; ++i) {
      for (int step = 1; step < (before == after_all              ? p
                                 : before == after_shift && p > 1 ? 2
                                                                  : 0);
           ++step) {
        access_one(by_hpput, (s + step) % p, 0, s, 1);
      }
      bsp_sync();
    }
    const double each = (bsp_time() - start) / repeats;
    if (series == 0) repeats = agree((int)(20 * measure_seconds / each) + 1);
    if (series > 0 && each < best) best = each;
  }
  return best;
}
