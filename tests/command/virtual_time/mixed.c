// SPDX-License-Identifier: BSD-3-Clause
// Computes at random, starts and tests collectives in the world and in rows and columns, reads
// clocks, and prints what it has seen. The arguments are a seed and a number of steps.
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <tutti/tutti.h>
#include <tutti/tutti_runtime.h>
#include <tutti/tutti_time.h>

enum { most = 3000, at_once = 3 };
static uint64_t common, own;  // states of what all ranks draw together, and of this one
static tutti_group groups[3];
static double from[at_once][most], to[at_once][most];
static tutti_request requests[at_once];
static int counts[at_once], places[at_once];

static void must(tutti_status status) {
  if (status == TUTTI_OK) return;
  fprintf(stderr, "%s\n", tutti_error_text());
  exit(1);
}

static unsigned draw(uint64_t* state, unsigned below) {
  *state = *state * 6364136223846793005U + 1442695040888963407U;
  return (unsigned)(*state >> 33) % below;
}

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec * 1e6 + (double)time.tv_nsec / 1e3;
}

static void start(int which) {
  places[which] = (int)draw(&common, 3);
  counts[which] = (int)draw(&common, most) + 1;
  const tutti_group group = groups[places[which]];
  for (int i = 0; i < counts[which]; ++i) from[which][i] = i + 1;
  const tutti_data in = tutti_array(from[which], counts[which], TUTTI_DOUBLE);
  const tutti_data out = tutti_array(to[which], counts[which], TUTTI_DOUBLE);
  must(tutti_iallreduce(group, &in, &out, TUTTI_SUM, &requests[which]));
}

static void end(int which) {
  int looks = 0, done = 0;
  const int by_looking = draw(&own, 2) == 0;
  for (; by_looking && !done && looks < 50; ++looks) must(tutti_test(&requests[which], &done));
  if (!done) must(tutti_wait(&requests[which]));
  const int p = tutti_size(groups[places[which]]);
  for (int i = 0; i < counts[which]; ++i)
    if (to[which][i] != (double)p * (i + 1)) exit(3);
  printf("%d: %d looks, %.3f us\n", which, looks, now());
}

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  must(tutti_init());
  const int me = tutti_rank(tutti_world()), columns = 2;
  common = (uint64_t)atoi(argv[1]);
  own = common + 1000 * (uint64_t)(me + 1);
  groups[0] = tutti_world();
  must(tutti_group_split(tutti_world(), me / columns, 0, &groups[1]));
  must(tutti_group_split(tutti_world(), me % columns, 0, &groups[2]));
  for (int step = 0; step < atoi(argv[2]); ++step) {
    const int many = (int)draw(&common, at_once) + 1;
    for (int i = 0; i < many; ++i) {
      tutti_spend_time(draw(&own, 300000));
      start(i);
      if (draw(&own, 3) == 0) printf("%.3f us\n", now());
    }
    for (int i = 0; i < many; ++i) end(i);
    if (draw(&common, 4) == 0) must(tutti_barrier(groups[draw(&common, 3)]));
  }
  must(tutti_finalize());
  return 0;
}
