/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Messages that are started now and waited for later.
 */
#include "check.h"

static void around_a_ring(void) {
  long out = mynode(), in = -1, info[8];
  const long get = irecv(60, &in, sizeof in);
  CHECK(get >= 0 && msgdone(get) == 0);
  meet();
  const long put = isend(60, &out, sizeof out, next_node(), 0);
  CHECK(put >= 0 && put != get);
  msgwait(put);
  msgwait(get);
  CHECK(in == node_before() && infonode() == node_before() && infotype() == 60);
  CHECK(infocount() == sizeof in);
  const long extended = irecvx(-1, &in, sizeof in, node_before(), 0, info);
  csend(61, &out, 4, next_node(), 0);
  while (!msgdone(extended)) continue;
  CHECK(info[0] == 61 && info[1] == 4 && info[2] == node_before() && info[3] == 0);
  CHECK(infotype() == 60); /* the call had an info of its own */
}

static void posted_before_waiting(void) {
  long first = -1, second = -1, value = 1;
  const long id = irecv(62, &first, sizeof first);
  csend(62, &value, sizeof value, next_node(), 0);
  value = 2;
  csend(62, &value, sizeof value, next_node(), 0);
  crecv(62, &second, sizeof second);
  msgwait(id);
  CHECK(first == 1 && second == 2);
}

static void many(void) {
  enum { count = 100 };
  long ids[count], in[count], out[count], all = -1;
  for (int i = 0; i < count; i++) {
    in[i] = -1;
    ids[i] = irecv(i, &in[i], sizeof in[i]);
  }
  for (int i = count - 1; i >= 0; i--) {
    out[i] = 1000 * mynode() + i;
    msgignore(isend(i, &out[i], sizeof out[i], next_node(), 0));
  }
  for (int i = 0; i < count; i++) all = msgmerge(all, ids[i]);
  if (mynode() % 2 == 0) {
    msgwait(all);
  } else {
    while (!msgdone(all)) continue;
  }
  for (int i = 0; i < count; i++) CHECK(in[i] == 1000 * node_before() + i);
}

/* A program may look at its buffer, and give way until the message is there. */
static void looked_for(void) {
  long out = mynode();
  volatile long in = -1;
  const long id = irecv(64, (long*)&in, sizeof in);
  meet();
  csend(64, &out, sizeof out, next_node(), 0);
  while (in < 0) flick();
  CHECK(in == node_before());
  msgwait(id);
}

static void both(void) {
  long out = mynode(), in = -1;
  const long id = isendrecv(63, &out, sizeof out, next_node(), 0, 63, &in, sizeof in);
  msgwait(id);
  CHECK(in == node_before() && infonode() == node_before());
  const long other = _isendrecv(64, &out, sizeof out, next_node(), 0, 64, &in, 4);
  CHECK(other >= 0 && _msgwait(other) == -1 && errno == EMSGSIZE);
}

static void taken_back(void) {
  long in = -1, out = 5, got = -1;
  msgcancel(irecv(65, &in, sizeof in));
  meet();
  csend(65, &out, sizeof out, next_node(), 0);
  crecv(65, &got, sizeof got);
  CHECK(in == -1 && got == 5);
  msgcancel(isend(66, &out, sizeof out, next_node(), 0)); /* too late: it has left */
  crecv(66, &got, sizeof got);
}

static void ignored(void) {
  long in = -1, out = mynode();
  msgignore(irecv(67, &in, sizeof in));
  csend(68, &out, sizeof out, mynode(), 0);
  crecv(68, &out, sizeof out);
  csend(67, &out, sizeof out, next_node(), 0);
  meet();
  while (in == -1) CHECK(iprobe(67) == 0);
  CHECK(in == node_before());
  CHECK(infotype() != 67); /* the message was ignored */
}

void test_started(void) {
  looked_for();
  void (*const parts[])(void) = {around_a_ring, posted_before_waiting, many, both, taken_back,
                                 ignored};
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
    parts[i]();
    meet();
  }
}
