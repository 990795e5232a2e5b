/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Measures messages of NX as section 2 of S. H. Bokhari, Complete Exchange on the iPSC-860 (ICASE
 * 91-4, 1991): a receive is posted, all nodes synchronise, the message goes, and they synchronise
 * again; the synchronisations are not timed. All nodes read the same clock, which that machine had
 * not. Arguments: REPEATS, the most bytes and the step between lengths of single messages, and the
 * same two of several messages at once. Node 0 prints in us:
 *   message forced|unforced LINKS BYTES MEDIAN SHORTEST     from node 0 to node 2^LINKS - 1
 *   at once MESSAGES BYTES MEDIAN SHORTEST                  from the first start to the last end
 * Messages at once go from nodes of the first half to nodes of the second.
 * Every byte is checked.
 */
#include <nx.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { unforced = 1, forced = 1073741824, most_repeats = 1000, most_pairs = 8, buffer = 1 << 16 };
typedef struct {
  long from, to;
} route;

static long me, n, repeats, wrong;
static char out[buffer], in[buffer];

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static int compare(const void* a, const void* b) {
  const double x = *(const double*)a, y = *(const double*)b;
  return (x > y) - (x < y);
}

static void check(long from, long bytes) {
  for (long i = 0; i < bytes; ++i) wrong += in[i] != (char)(from + i);
}

/* Waits until the nodes that only synchronise sleep, and need no processor. */
static void wait_for_rest(void) {
  const double end = now() + 1.5e-3;
  while (now() < end) continue;
}

/* A node that waits in msgwait sleeps after a while, and waking it takes longer than the message.
 * So it asks. If there are more messages, their nodes need processors. */
static void ask_until_done(long id, int alone) {
  while (msgdone(id) == 0)
    if (!alone) flick();
}

/* Sends all messages at the same time. Returns the seconds from the first start to the last end. */
static double time_of(const route* routes, int count, int alone, long type, long bytes) {
  double begin = 1e300, end = -1e300, work;
  long id = -1, to = -1, from = -1;
  for (int i = 0; i < count; ++i) {
    if (routes[i].from == me) to = routes[i].to;
    if (routes[i].to == me) from = routes[i].from;
  }
  if (from >= 0) id = irecv(type, in, bytes);
  gsync();
  if (to >= 0) {
    if (alone && n > 2) wait_for_rest();
    begin = now();
    csend(type, out, bytes, to, 0);
  }
  if (from >= 0) {
    ask_until_done(id, alone);
    end = now();
    check(from, bytes);
  }
  gdlow(&begin, 1, &work);
  gdhigh(&end, 1, &work);
  return end - begin;
}

/* Prints the median and the least time after the words of `what`. */
static void measure(const char* what, const route* routes, int count, int alone, long type,
                    long bytes) {
  static double times[most_repeats];
  for (long i = 0; i < repeats; ++i) times[i] = time_of(routes, count, alone, type, bytes);
  qsort(times, (size_t)repeats, sizeof times[0], compare);
  if (me == 0) printf("%s %ld %.3f %.3f\n", what, bytes, times[repeats / 2] * 1e6, times[0] * 1e6);
}

static void measure_messages(long most, long step) {
  char what[64];
  for (long links = 1; 1L << links <= n; ++links) {
    for (int kind = 0; kind < 2; ++kind) {
      const route one = {0, (1L << links) - 1};
      snprintf(what, sizeof what, "message %s %ld", kind ? "unforced" : "forced", links);
      for (long bytes = 0; bytes <= most; bytes += step)
        measure(what, &one, 1, 1, kind ? unforced : forced, bytes);
    }
  }
}

static void measure_at_once(long most, long step) {
  char what[64];
  route routes[most_pairs];
  for (long i = 0; i < most_pairs; ++i) routes[i] = (route){i, n / 2 + i};
  for (int count = 1; count <= most_pairs && count <= n / 2; ++count) {
    snprintf(what, sizeof what, "at once %d", count);
    for (long bytes = 0; bytes <= most; bytes += step)
      measure(what, routes, count, 0, forced, bytes);
  }
}

int main(int argc, char** argv) {
  long work;
  if (argc != 6) return 2;
  repeats = atol(argv[1]);
  const long most = atol(argv[2]), step = atol(argv[3]);
  const long most_at_once = atol(argv[4]), step_at_once = atol(argv[5]);
  if (repeats < 1 || repeats > most_repeats || step < 1 || step_at_once < 1) return 2;
  if (most > buffer || most_at_once > buffer) return 2;
  me = mynode();
  n = numnodes();
  for (long i = 0; i < buffer; ++i) out[i] = (char)(me + i);
  measure_messages(most, step);
  measure_at_once(most_at_once, step_at_once);
  gisum(&wrong, 1, &work);
  if (me == 0) printf("wrong bytes %ld\n", wrong);
  return wrong != 0;
}
