// SPDX-License-Identifier: BSD-3-Clause
// same_bits CALLS SEED KINDS ROOTS: makes random reductions and compares the bits of the results.
// KINDS has an o if ordered operators are asked for, and a w if operators on whole vectors are. An
// allreduce must give all ranks the same bits. With ROOTS = 1, which needs TUTTI_REPRODUCIBLE=1, a
// reduce must give each root the same bits, too, and those of the allreduce.
#include "same_bits.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "same_bits_kinds.h"

enum { MOST_DOUBLES = 9000, MOST_RANKS = 64 };

const struct kind* current;

static uint64_t state;
static uint64_t next(void) {  // SplitMix64
  uint64_t z = state += 0x9e3779b97f4a7c15U;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
  return z ^ (z >> 31);
}

// Returns a number in (0, 2), or at times a NaN that carries a number.
static double number(int with_nan) {
  if (with_nan && next() % 4 == 0) {
    const uint64_t bits = 0x7ff8000000000000U | next() % 1000000 | (next() & 1) << 63;
    double nan;
    memcpy(&nan, &bits, sizeof nan);
    return nan;
  }
  return (double)(next() >> 11) * 0x1p-52 + 0x1p-60;
}

static void fill(double* x, int doubles, int call, int rank) {
  state = ((uint64_t)call << 32) + (uint64_t)rank * 7919 + 1;
  const int with_nan = current - kinds == NAN_MAX || current - kinds >= SUM;
  for (int i = 0; i < doubles; ++i) x[i] = number(with_nan);
}

static uint64_t hash(const double* x, int doubles) {
  uint64_t sum = 0xcbf29ce484222325U;
  for (int i = 0; i < doubles; ++i) {
    uint64_t bits;
    memcpy(&bits, x + i, sizeof bits);
    sum = (sum ^ bits) * 0x100000001b3U;
    sum ^= sum >> 29;
  }
  return sum;
}

static void fail(void) {
  fflush(stdout);
  exit(1);
}

// A call whose results are compared.
struct made {
  const char* name;
  const char* owner;  // who has the results: each rank, or each root
  int call, count;
};

// Ends the job if one result differs, as rank 0 sees.
static void compare(struct made made, uint64_t mine, int ranks, int rank) {
  uint64_t all[MOST_RANKS];
  collect(mine, all);
  if (rank != 0) return;
  for (int other = 1; other < ranks; ++other) {
    if (all[other] == all[0]) continue;
    printf("WRONG: %s: call %d: %s of %d %s: %s %d differs from %s 0\n", interface_name, made.call,
           made.name, made.count, current->name, made.owner, other, made.owner);
    fail();
  }
}

static int is_asked_for(const struct kind* kind, const char* which) {
  return (!kind->ordered || strchr(which, 'o') != NULL) &&
         (!takes_whole_vectors(kind) || strchr(which, 'w') != NULL);
}

int main(int argc, char** argv) {
  static double x[MOST_DOUBLES];
  int rank = 0, made = 0;
  const int ranks = start(&argc, &argv, &rank);
  if (argc < 5 || ranks > MOST_RANKS) return 2;
  const int calls = atoi(argv[1]), seed = atoi(argv[2]), roots = atoi(argv[4]);
  for (int call = 0; call < calls; ++call) {
    state = (uint64_t)seed * 1000003U + (uint64_t)call;
    current = &kinds[next() % (uint64_t)kind_count];
    const int most = next() % 8 == 0 ? MOST_DOUBLES / current->doubles : 20;
    const int count = 1 + (int)(next() % (uint64_t)most), doubles = count * current->doubles;
    if (!is_asked_for(current, argv[3])) continue;
    uint64_t for_all = 0;
    if (combines_for_all) {
      fill(x, doubles, call, rank);
      combine_for_all(current, x, count);
      for_all = hash(x, doubles);
      compare((struct made){"allreduce", "rank", call, count}, for_all, ranks, rank);
      ++made;
    }
    if (!roots) continue;
    uint64_t at_me = 0;
    int root = 0;
    for (; root < ranks; ++root) {
      fill(x, doubles, call, rank);
      if (!combine_at(current, x, count, root)) break;
      if (root == rank) at_me = hash(x, doubles);
      ++made;
    }
    if (root < ranks) continue;
    compare((struct made){"reduce", "root", call, count}, at_me, ranks, rank);
    if (combines_for_all && at_me != for_all) {
      printf("WRONG: %s: call %d: reduce of %d %s to root %d differs from allreduce\n",
             interface_name, call, count, current->name, rank);
      fail();
    }
  }
  if (rank == 0) printf("right: %s: %d calls on %d ranks\n", interface_name, made, ranks);
  fflush(stdout);
  finish();
  return 0;
}
