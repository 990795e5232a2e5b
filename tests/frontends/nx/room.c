/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Messages that fill the system buffer of their receiver. room.py runs it.
 */
#include <nx.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { megabyte = 1 << 20 };
static char* out;
static char* in;
static long me, last, next;

static void wrong(const char* what, long number) {
  fprintf(stderr, "node %ld: %s %ld is wrong\n", me, what, number);
  exit(1);
}

/* Node 0 sends to node 1, which is not there for a while. */
static void sleeper(long messages, long length) {
  if (me == 0) {
    for (long i = 0; i < messages; i++) {
      memcpy(out, &i, sizeof i);
      csend(5, out, length, 1, 0);
    }
  }
  if (me == 1) {
    sleep(1);
    for (long i = 0; i < messages; i++) {
      long number = -1;
      crecv(5, in, length);
      memcpy(&number, in, sizeof number);
      if (number != i) wrong("message", i);
    }
  }
}
static void megabytes(long count) {
  sleeper(count, megabyte);
}
static void small(long count) {
  sleeper(count, sizeof(long));
}

static void started(long count) {
  if (me == 0) {
    long all = -1;
    for (long i = 0; i < count; i++) all = msgmerge(all, isend(6, out, megabyte, 1, 0));
    msgwait(all);
  }
  if (me == 1) {
    sleep(1);
    for (long i = 0; i < count; i++) crecv(6, in, megabyte);
  }
}

/* Nobody receives. */
static void cycle(long count) {
  for (long i = 0; i < count; i++) csend(7, out, megabyte, next, 0);
  for (long i = 0; i < count; i++) crecv(7, in, megabyte);
}
static void to_all(long count) {
  for (long i = 0; i < count; i++) csend(7, out, megabyte, -1, 0);
  for (long i = 0; i < count * last; i++) crecv(7, in, megabyte);
}
static void to_itself(long count) {
  for (long i = 0; i < count; i++) csend(8, out, megabyte, me, 0);
  for (long i = 0; i < count; i++) crecv(8, in, megabyte);
}
static void id_waited_for(long count) {
  long all = -1;
  for (long i = 0; i < count; i++) all = msgmerge(all, isend(7, out, megabyte, next, 0));
  msgwait(all);
  for (long i = 0; i < count; i++) crecv(7, in, megabyte);
}
/* Node 1 waits for node 0, which waits for room at node 1. */
static void meeting(long count) {
  if (me == 0)
    for (long i = 0; i < count; i++) csend(9, out, megabyte, 1, 0);
  gsync();
}

/* The receives are posted, so that there is always room. */
static void posted(long count) {
  long* ids = malloc((size_t)count * sizeof *ids);
  for (long i = 0; i < count; i++) ids[i] = irecv(10, in, megabyte);
  for (long i = 0; i < count; i++) csend(10, out, megabyte, next, 0);
  for (long i = 0; i < count; i++) msgwait(ids[i]);
  free(ids);
}

static long served = 0;
static void serve(long type, long count, long node, long ptype) {
  (void)type, (void)count, (void)node, (void)ptype;
  served++;
  hrecv(11, in, megabyte, serve);
}
/* A handler receives while its node waits for room. */
static void handled(long count) {
  hrecv(11, in, megabyte, serve);
  gsync();
  for (long i = 0; i < count; i++) csend(11, out, megabyte, next, 0);
  while (served < count) flick();
  masktrap(1);
  gsync();
}

/* The receiver ends without a receive. */
static void leaver(long count) {
  if (me == 0)
    for (long i = 0; i < count; i++) csend(12, out, megabyte, 1, 0);
  if (me == 1) sleep(1);
}

/* Nobody receives or waits, and all end. */
static void unwaited(long count) {
  for (long i = 0; i < count; i++) isend(13, out, megabyte, next, 0);
}

/* Messages of forced types do not wait. */
static void forced(long count) {
  if (me == 0)
    for (long i = 0; i < count; i++) csend(1073741824 + 1, out, megabyte, 1, 0);
  gsync();
}

int main(int argc, char** argv) {
  static const struct {
    const char* name;
    void (*run)(long count);
  } parts[] = {
      {"megabytes", megabytes}, {"small", small},   {"started", started},
      {"cycle", cycle},         {"to_all", to_all}, {"to_itself", to_itself},
      {"meeting", meeting},     {"posted", posted}, {"handled", handled},
      {"leaver", leaver},       {"forced", forced}, {"id_waited_for", id_waited_for},
      {"unwaited", unwaited},
  };
  me = mynode();
  last = numnodes() - 1;
  next = (me + 1) % numnodes();
  out = calloc(megabyte, 1);
  in = calloc(megabyte, 1);
  for (size_t i = 0; argc == 3 && i < sizeof parts / sizeof *parts; i++)
    if (strcmp(argv[1], parts[i].name) == 0) parts[i].run(atol(argv[2]));
  if (me == 0) printf("over\n");
  /* `out` is not freed: a send that nobody has waited for may still need it. */
  free(in);
  return 0;
}
