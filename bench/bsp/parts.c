/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Measures where the time of a superstep goes: the calls, bsp_sync, and taking messages out, in ns
 * per message, median over supersteps. Arguments: words of a message (1), messages (256),
 * supersteps (2000).
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tutti-bsp/bsp.h>
#include <tutti-bsp/bsp_tutti.h>

enum { kinds = 5, parts = 3, most_supersteps = 20000 };
static const char* const names[kinds] = {"put", "hpput", "get", "hpget", "send"};
static int words = 1, messages = 256, supersteps = 2000;
static double *source, *target, *direct;
static double times[parts][most_supersteps];

static int by_time(const void* a, const void* b) {
  const double x = *(const double*)a, y = *(const double*)b;
  return (x > y) - (x < y);
}

static double median(double* of) {
  qsort(of, (size_t)supersteps, sizeof *of, by_time);
  return of[supersteps / 2];
}

static void call(int kind, int pid, int i) {
  const int bytes = words * (int)sizeof(double), at = i * bytes;
  double* const from = source + (size_t)i * (size_t)words;
  if (kind == 0) bsp_put(pid, from, target, at, bytes);
  if (kind == 1) bsp_hpput(pid, from, direct, at, bytes);
  if (kind == 2) bsp_get(pid, target, at, from, bytes);
  if (kind == 3) bsp_hpget(pid, direct, at, from, bytes);
  if (kind == 4) bsp_send(pid, NULL, from, bytes);
}

static void take_messages(void) {
  int left = 0, status = 0;
  bsp_qsize(&left, NULL);
  for (int at = 0; left > 0; --left, at += words) {
    bsp_get_tag(&status, NULL);
    bsp_move(target + at, status);
  }
}

static void measure(int kind) {
  const int pid = (bsp_pid() + 1) % bsp_nprocs();
  for (int k = 0; k < supersteps; ++k) {
    bsp_sync();
    const double begin = bsp_time();
    for (int i = 0; i < messages; ++i) call(kind, pid, i);
    const double called = bsp_time();
    bsp_sync();
    const double synchronised = bsp_time();
    take_messages();
    times[0][k] = called - begin;
    times[1][k] = synchronised - called;
    times[2][k] = bsp_time() - synchronised;
  }
  if (bsp_pid() != 0) return;
  const double each = 1e9 / messages;
  printf("%-6s calls %10.1f  bsp_sync %10.1f  messages out %10.1f\n", names[kind],
         median(times[0]) * each, median(times[1]) * each, median(times[2]) * each);
}

int main(int argc, char** argv) {
  if (argc > 1) words = atoi(argv[1]);
  if (argc > 2) messages = atoi(argv[2]);
  if (argc > 3) supersteps = atoi(argv[3]);
  if (supersteps > most_supersteps) supersteps = most_supersteps;
  bsp_begin(bsp_nprocs());
  const size_t bytes = (size_t)words * (size_t)messages * sizeof(double);
  source = calloc(1, bytes);
  target = calloc(1, bytes);
  direct = bsp_alloc(bytes);
  memset(direct, 0, bytes);
  bsp_push_reg(target, (int)bytes);
  bsp_push_reg(direct, (int)bytes);
  bsp_sync();
  for (int kind = 0; kind < kinds; ++kind) measure(kind);
  bsp_pop_reg(target);
  bsp_pop_reg(direct);
  bsp_sync();
  bsp_free(direct);
  free(source);
  free(target);
  bsp_end();
  return 0;
}
