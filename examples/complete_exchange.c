// SPDX-License-Identifier: BSD-3-Clause
// The complete exchange, in which each node has a block for each other node, in the six
// implementations of S. H. Bokhari (Complete Exchange on the iPSC-860, ICASE 91-4, 1991). They are
// written with NX, as for that machine. Those with F in their names, linear and stable use messages
// of forced types, whose receives must be posted before, and a global synchronisation after that.
// Those with U use neither. pairwise_G is pairwise_F without its synchronisation of pairs.
//
// Arguments, all of which may be left out: runs, microseconds of the start and of each byte of a
// message (for the idle step of stable), and the sizes of blocks. For each size all implementations
// run in turn, and every byte is checked. A run takes as long as its slowest node.
#include <nx.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { most_nodes = 128, most_steps = 7, longest_of_all = 128 };
// Messages have the number of the sender, or of the step, added to these types.
enum { unforced = 1000, forced = 1073741824, forced_step = forced + 1000, pair = forced + 2000 };
typedef enum { no_pairs, in_pairs } Pairs;
typedef enum { unposted, posted } Receives;

static long me, n, cube;        // cube: the least power of two that is not below n
static char *out, *in;          // a block for each node, and one from each node
static char *all, *spare;       // blocks that standard exchanges and permutes
static char* came[most_steps];  // what it receives in each step
static long block_id[most_nodes], pair_id[most_nodes], step_id[most_steps];
static double start_us = 1, byte_us = 0.0005;

// ---- what the implementations share ----

static void post_blocks(long m) {
  for (long node = 0; node < n; ++node)
    if (node != me) block_id[node] = irecv(forced + node, in + node * m, m);
}

static void wait_for_blocks(void) {
  for (long node = 0; node < n; ++node)
    if (node != me) msgwait(block_id[node]);
}

static void post_pair(long node) {
  pair_id[node] = irecv(pair + node, NULL, 0);
}

// Two nodes that exchange empty messages begin their exchange at the same time.
static void meet(long node) {
  csend(pair + me, NULL, 0, node, 0);
  msgwait(pair_id[node]);
}

static void idle(long m) {
  const double end = dclock() + (start_us + byte_us * (double)m) * 1e-6;
  while (dclock() < end) continue;
}

// ---- the implementations ----

static void linear(long m) {
  post_blocks(m);
  gsync();
  for (long i = 1; i < n; ++i) {
    const long node = (me + i) % n;
    csend(forced + me, out + node * m, m, node, 0);
  }
  wait_for_blocks();
}

// No link of a hypercube is used in two steps that follow each other, so nodes may drift apart.
static void stable(long m) {
  post_blocks(m);
  gsync();
  for (long i = 0; i < n; ++i) {
    const long node = (me * 2 + (me < n / 2 ? 1 : 0) + i) % n;
    if (node == me)
      idle(m);
    else
      csend(forced + me, out + node * m, m, node, 0);
  }
  wait_for_blocks();
}

static void pairwise_forced(long m, Pairs pairs) {
  post_blocks(m);
  for (long node = 0; node < n && pairs == in_pairs; ++node)
    if (node != me) post_pair(node);
  gsync();
  for (long i = 1; i < cube; ++i) {
    const long node = me ^ i;
    if (node >= n) continue;
    if (pairs == in_pairs) meet(node);
    csend(forced + me, out + node * m, m, node, 0);
    msgwait(block_id[node]);
  }
}

static void pairwise_F(long m) {
  pairwise_forced(m, in_pairs);
}

static void pairwise_G(long m) {
  pairwise_forced(m, no_pairs);
}

static void pairwise_U(long m) {
  for (long i = 1; i < cube; ++i) {
    const long node = me ^ i;
    if (node >= n) continue;
    csend(unforced + me, out + node * m, m, node, 0);
    crecv(unforced + node, in + node * m, m);
  }
}

// Moves block i to the place that has the bits of i rotated by one.
static void shuffle(long m) {
  for (long i = 0; i < n; ++i)
    memcpy(spare + (i < n / 2 ? 2 * i : 2 * i - n + 1) * m, all + i * m, (size_t)m);
  char* const shuffled = spare;
  spare = all;
  all = shuffled;
}

// In each step a node gives half of its blocks to a neighbour in the hypercube, and gets as many.
static void standard(long m, Receives receives) {
  const long half = n / 2 * m;
  long step = 0;
  for (long bit = n / 2; bit > 0; bit /= 2, ++step) {
    char* const leaving = me & bit ? all : all + half;
    if (receives == posted) {
      meet(me ^ bit);
      csend(forced_step + step, leaving, half, me ^ bit, 0);
      msgwait(step_id[step]);
    } else {
      csend(unforced + step, leaving, half, me ^ bit, 0);
      crecv(unforced + step, came[step], half);
    }
    memcpy(leaving, came[step], (size_t)half);
    shuffle(m);
  }
}

static void standard_F(long m) {
  long step = 0;
  for (long bit = n / 2; bit > 0; bit /= 2, ++step) {
    step_id[step] = irecv(forced_step + step, came[step], n / 2 * m);
    post_pair(me ^ bit);
  }
  gsync();
  standard(m, posted);
}

static void standard_U(long m) {
  standard(m, unposted);
}

// The paper runs some of them with short blocks only, because they are far too slow for others.
static const struct implementation {
  const char* name;
  void (*exchange)(long m);
  long longest;      // block; 0: any
  int in_one_array;  // its blocks are all in `all`, and there must be a power of two of them
} implementations[] = {
    {"linear", linear, 0, 0},
    {"stable", stable, 0, 0},
    {"pairwise_F", pairwise_F, 0, 0},
    {"standard_F", standard_F, longest_of_all, 1},
    {"pairwise_U", pairwise_U, longest_of_all, 0},
    {"standard_U", standard_U, longest_of_all, 1},
    {"pairwise_G", pairwise_G, 0, 0},
};
enum { count = sizeof implementations / sizeof implementations[0] };

// ---- runs ----

static char value(long from, long to, long at, long run) {
  return (char)(3 * from + 5 * to + at + run);
}

static void fill(const struct implementation* one, long m, long run) {
  char* const blocks = one->in_one_array ? all : out;
  for (long node = 0; node < n; ++node)
    for (long k = 0; k < m; ++k) blocks[node * m + k] = value(me, node, k, run);
  memset(in, 0, (size_t)(n * m));
  memcpy(in + me * m, out + me * m, (size_t)m);
}

static long wrong_bytes(const struct implementation* one, long m, long run) {
  const char* const blocks = one->in_one_array ? all : in;
  long wrong = 0;
  for (long node = 0; node < n; ++node)
    for (long k = 0; k < m; ++k) wrong += blocks[node * m + k] != value(node, me, k, run);
  return wrong;
}

// Returns the microseconds of the slowest node.
static double timed(const struct implementation* one, long m) {
  double seconds, work;
  gsync();
  const double start = dclock();
  one->exchange(m);
  seconds = dclock() - start;
  gdhigh(&seconds, 1, &work);
  return seconds * 1e6;
}

static int compare(const void* a, const void* b) {
  const double x = *(const double*)a, y = *(const double*)b;
  return (x > y) - (x < y);
}

static void print(const char* name, long m, double* us, long runs) {
  double sum = 0;
  for (long run = 0; run < runs; ++run) sum += us[run];
  qsort(us, (size_t)runs, sizeof us[0], compare);
  printf("%-10s %5ld bytes: longest %.2f mean %.2f shortest %.2f median %.2f us\n", name, m,
         us[runs - 1], sum / (double)runs, us[0], us[runs / 2]);
}

static int can_run(const struct implementation* one, long m) {
  return (one->longest == 0 || m <= one->longest) && !(one->in_one_array && n != cube);
}

// Runs all implementations in turn with blocks of m bytes. Returns how many bytes were wrong.
static long run_all(long m, long runs, double* us) {
  long wrong = 0;
  for (long run = 0; run < runs; ++run) {
    for (int i = 0; i < count; ++i) {
      if (!can_run(&implementations[i], m)) continue;
      fill(&implementations[i], m, run);
      us[i * runs + run] = timed(&implementations[i], m);
      wrong += wrong_bytes(&implementations[i], m, run);
    }
  }
  for (int i = 0; i < count && me == 0; ++i)
    if (can_run(&implementations[i], m)) print(implementations[i].name, m, us + i * runs, runs);
  fflush(stdout);
  return wrong;
}

static void allocate(long m) {
  char** const places[] = {&out, &in, &all, &spare};
  for (int i = 0; i < 4; ++i) *places[i] = calloc((size_t)(n * m), 1);
  for (int i = 0; i < most_steps; ++i) came[i] = calloc((size_t)(n * m), 1);
}

int main(int argc, char** argv) {
  static char* usual[] = {"1", "16", "128", "1024", "4096"};
  const long runs = argc > 1 ? atol(argv[1]) : 20;
  if (argc > 2) start_us = atof(argv[2]);
  if (argc > 3) byte_us = atof(argv[3]);
  char** const sizes = argc > 4 ? argv + 4 : usual;
  const int many = argc > 4 ? argc - 4 : 5;
  long largest = 1, wrong = 0, work;
  me = mynode();
  n = numnodes();
  for (cube = 1; cube < n;) cube *= 2;
  for (int i = 0; i < many; ++i)
    if (atol(sizes[i]) > largest) largest = atol(sizes[i]);
  if (runs < 1 || n > most_nodes) return 2;
  allocate(largest);
  double* const us = malloc(sizeof(double) * (size_t)(count * runs));
  for (int i = 0; i < many; ++i) wrong += run_all(atol(sizes[i]), runs, us);
  gisum(&wrong, 1, &work);
  if (me == 0) printf("%ld nodes, %ld runs each: %ld wrong bytes\n", n, runs, wrong);
  return wrong != 0;
}
