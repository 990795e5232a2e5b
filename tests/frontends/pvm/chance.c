/* SPDX-License-Identifier: BSD-3-Clause
 * Makes random legal sequences of calls: buffers, messages with wildcards, groups of several
 * tasks, and notices. A sequence follows from its number alone, and all results are combined
 * into one number, so that two implementations can be compared. */
#include <stdint.h>
#include <string.h>

#include "report.h"

enum { tags = 4, helpers = 3, names = 3, steps = 30, shown = 10 };

static uint64_t seen;
static unsigned seed;

static void see(long value) {
  for (int i = 0; i < 8; ++i) seen = (seen ^ (uint64_t)(value >> (8 * i) & 0xff)) * 1099511628211u;
}

static int pick(int below) {
  return (int)((unsigned)rand_r(&seed) / 7 % (unsigned)below);
}

/* ---- messages to this task ---- */

static int waiting[tags]; /* messages with this tag that were sent and not received */

static int all_waiting(void) {
  int sum = 0;
  for (int i = 0; i < tags; ++i) sum += waiting[i];
  return sum;
}

static void send_something(int me) {
  int count = pick(6);
  const int tag = pick(tags);
  int ints[8];
  double numbers[8];
  pvm_initsend(pick(2) ? PvmDataRaw : PvmDataDefault);
  for (int i = 0; i < 8; ++i) {
    ints[i] = pick(1000) - 500;
    numbers[i] = pick(1000) * 0.125;
  }
  see(pvm_pkint(&count, 1, 1));
  see(pvm_pkint(ints, count, 1));
  see(pvm_pkdouble(numbers, count / 2, 2));
  see(pvm_send(me, tag));
  ++waiting[tag];
}

/* Receives a message only if one is sure to come. Which one comes is part of the results. */
static void receive_something(int me) {
  int tag = pick(tags + 1) - 1, bytes = 0, with = 0, from = 0, count = 0, ints[8] = {0};
  double numbers[8] = {0};
  if (tag >= 0 ? waiting[tag] == 0 : all_waiting() == 0) return;
  const int kept = pick(5) == 0 ? pvm_setrbuf(0) : 0;
  const int buffer = pvm_recv(pick(2) ? me : -1, tag);
  see(pvm_bufinfo(buffer, &bytes, &with, &from));
  see(bytes);
  see(with);
  see(from == me);
  see(pvm_upkint(&count, 1, 1));
  see(pvm_upkint(ints, count, 1));
  see(pvm_upkdouble(numbers, count / 2, 2));
  see(pvm_upkint(ints, 1, 1)); /* nothing is left */
  for (int i = 0; i < 8; ++i) see((long)(ints[i] * 8 + numbers[i] * 8));
  --waiting[with];
  if (kept > 0) see(pvm_freebuf(kept));
}

static void use_buffers(void) {
  const int made = pvm_mkbuf(pick(2)), before = pvm_setsbuf(made);
  see(made > 0);
  see(pvm_pkint(&(int){3}, pick(3) - 1, 1));
  see(pvm_getsbuf() == made);
  see(pvm_setsbuf(before) == made);
  see(pvm_freebuf(made));
  see(pvm_freebuf(made));
  see(pvm_setrbuf(made));
}

/* ---- groups ---- */

static char* name_of(int number) {
  static char name[16];
  snprintf(name, sizeof name, "chance%d", number);
  return name;
}

enum { do_join, do_leave, do_size, do_end };

void helper(void) {
  for (;;) {
    int what = 0, number = 0, result = 0;
    pvm_recv(pvm_parent(), tag_go);
    pvm_unpackf("%d %d", &what, &number);
    if (what == do_join) result = pvm_joingroup(name_of(number));
    if (what == do_leave) result = pvm_lvgroup(name_of(number));
    if (what == do_size) result = pvm_gsize(name_of(number));
    if (what == do_end) pvm_exit();
    if (what == do_end) exit(0);
    put(pvm_parent(), tag_answer + 100, result);
  }
}

static void ask_helper(int tid, int what, int number) {
  pvm_packf("%+ %d %d", PvmDataDefault, what, number);
  pvm_send(tid, tag_go);
  if (what != do_end) see(get(tid, tag_answer + 100));
}

static void use_groups(const int* tids) {
  const int number = pick(names);
  switch (pick(6)) {
    case 0:
      see(pvm_joingroup(name_of(number)));
      break;
    case 1:
      see(pvm_lvgroup(name_of(number)));
      break;
    case 2:
      see(pvm_gsize(name_of(number)));
      see(pvm_getinst(name_of(number), tids[pick(helpers)]));
      break;
    case 3: {
      const int tid = pvm_gettid(name_of(number), pick(5));
      const char* name = name_of_tid(tid, tids, helpers);
      see(tid < 0 ? tid : name[strlen(name) - 1]);
      break;
    }
    default: {
      const int what = pick(3);
      ask_helper(tids[pick(helpers)], what, number);
    }
  }
}

/* ---- sequences ---- */

static void sequence(int number, int me, const int* tids) {
  seed = (unsigned)number;
  for (int i = 0; i < steps; ++i) {
    const int kind = pick(10);
    if (kind < 3) {
      send_something(me);
    } else if (kind < 6) {
      receive_something(me);
    } else if (kind < 7) {
      use_buffers();
    } else {
      use_groups(tids);
    }
  }
}

/* Ends the helpers and receives a notice of each. The order of the notices does not affect the
 * results. */
static void end_helpers(int* tids) {
  int tid = 0, sum = 0;
  see(pvm_notify(PvmTaskExit, 77, helpers, tids));
  for (int i = 0; i < helpers; ++i) ask_helper(tids[i], do_end, 0);
  for (int i = 0; i < helpers; ++i) {
    pvm_recv(-1, 77);
    see(pvm_upkint(&tid, 1, 1));
    for (int k = 0; k < helpers; ++k) sum += tids[k] == tid ? k : 0;
  }
  see(sum);
}

void chance(const char* self, int first, int count) {
  const int me = pvm_mytid();
  int tids[helpers];
  start(self, "helper", helpers, tids);
  seen = 14695981039346656037u;
  for (int i = 0; i < count; ++i) {
    sequence(first + i, me, tids);
    if (i % (count / shown) == count / shown - 1)
      printf("%d: %016llx\n", first + i, (unsigned long long)seen);
  }
  end_helpers(tids);
  printf("end: %016llx\n", (unsigned long long)seen);
}
