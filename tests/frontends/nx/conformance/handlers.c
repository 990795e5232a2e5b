/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Functions that are called when a message is over.
 */
#include "check.h"

#include <unistd.h>

static long asked, served, called[4], extended;

/* Answers a question with its double, and is ready for the next one. */
static void serve(long type, long count, long node, long ptype) {
  const long answer = 2 * asked;
  CHECK(type == 80 && count == sizeof asked && ptype == 0);
  served++;
  csend(81, &answer, sizeof answer, node, 0);
  hrecv(80, &asked, sizeof asked, serve);
}

static void note(long type, long count, long node, long ptype) {
  called[0] = type;
  called[1] = count;
  called[2] = node;
  called[3] = ptype;
}

static void add(long hparam) {
  extended += hparam;
}

/* All nodes ask all others, which serve them while they wait themselves: for an answer, for a
 * message that was started, in a probe, or for all others. */
static void questions(void) {
  long answer = 0;
  served = 0;
  hrecv(80, &asked, sizeof asked, serve);
  gsync();
  for (long node = 0; node < numnodes(); node++) {
    const long question = 100 * mynode() + node;
    csend(80, &question, sizeof question, node, 0);
    if (node % 3 == 1) cprobe(81);
    if (node % 3 == 2) {
      msgwait(irecv(81, &answer, sizeof answer));
    } else {
      crecv(81, &answer, sizeof answer);
    }
    CHECK(answer == 2 * question && infonode() == node);
  }
  for (long turn = 0; turn < 5; turn++) {
    const long one = 1;
    long sum = 1, work = 0;
    if (mynode() == turn % numnodes())
      for (long node = 0; node < numnodes(); node++) {
        csend(80, &one, sizeof one, node, 0);
        crecv(81, &answer, sizeof answer);
        CHECK(answer == 2);
      }
    gisum(&sum, 1, &work); /* the others are here meanwhile */
    CHECK(sum == numnodes());
  }
  while (served < numnodes() + 5) flick();
  CHECK(served == numnodes() + 5);
  /* The receive that is still posted takes one more message. */
  hsend(80, &answer, sizeof answer, mynode(), 0, note);
  crecv(81, &answer, sizeof answer);
  CHECK(masktrap(1) == 0); /* one receive is left; it must not serve later parts of the test */
  CHECK(masktrap(0) == 1);
}

static void masked(void) {
  long value = 5, got = 0;
  called[0] = -1;
  CHECK(masktrap(1) == 0 && masktrap(1) == 1);
  hrecv(82, &got, sizeof got, note);
  csend(82, &value, sizeof value, mynode(), 0);
  for (int i = 0; i < 10; i++) flick();
  gsync();
  CHECK(called[0] == -1);
  CHECK(_masktrap(0) == 1);
  CHECK(called[0] == 82 && called[1] == sizeof got && called[2] == mynode() && called[3] == 0);
  CHECK(got == 5);
}

static void others(void) {
  long value = 7, got = 0;
  called[0] = -1;
  extended = 0;
  hsend(83, &value, sizeof value, mynode(), 0, note);
  flick();
  CHECK(called[0] == 83 && called[1] == sizeof value && called[2] == mynode());
  hrecvx(83, &got, sizeof got, mynode(), -1, add, 10);
  while (extended == 0) flick();
  CHECK(extended == 10 && got == 7);
  hsendx(84, &value, 4, mynode(), 0, add, 5);
  crecv(84, &got, 4);
  flick();
  CHECK(extended == 15);
  hsendrecv(85, &value, sizeof value, next_node(), 0, 85, &got, sizeof got, note);
  while (called[0] != 85) flick();
  CHECK(got == 7 && called[2] == node_before());
  CHECK((errno = 0, _hrecv(86, &got, -1, note)) == -1 && errno == EINVAL);
  CHECK((errno = 0, _hrecv(86, &got, 8, NULL)) == -1 && errno == EFAULT);
  CHECK((errno = 0, _hsend(-1, &got, 8, 0, 0, note)) == -1 && errno == EINVAL);
  CHECK((errno = 0, _hsendx(1, &got, 8, 0, 0, NULL, 0)) == -1 && errno == EFAULT);
  CHECK((errno = 0, _hrecvx(1, &got, 8, numnodes(), 0, add, 0)) == -1 && errno == EINVAL);
  CHECK((errno = 0, _hsendrecv(1, &got, 8, -5, 0, 1, &got, 8, note)) == -1 && errno == EINVAL);
}

static void add_long(void* x, void* work) {
  *(long*)x += *(long*)work;
}

/* A message that is too long for its handler arrives while node 0 is in a collective call, as a
 * rule. The call fails there, but only after the collective is over. If the message comes before
 * the call begins, nothing is combined, and node 0 calls again. If it comes later, the next call
 * fails. */
static void failing_in_collective(void) {
  long sum = 1, work = 0, small = 0, big[2] = {1, 2};
  if (numnodes() == 1) return;
  if (mynode() == 0) {
    hrecv(87, &small, sizeof small, note);
    csend(88, NULL, 0, 1, 0);
    errno = 0;
    long result = _gopf(&sum, sizeof sum, &work, add_long);
    while (result != -1) result = _masktrap(0);
    CHECK(errno == EMSGSIZE);
    if (sum == 1) gopf(&sum, sizeof sum, &work, add_long);
  } else {
    if (mynode() == 1) {
      crecv(88, NULL, 0);
      usleep(20000); /* so that node 0 is in the call */
      csend(87, big, sizeof big, 0, 0);
      usleep(20000); /* and finds the message there */
    }
    gopf(&sum, sizeof sum, &work, add_long);
  }
  CHECK(sum == numnodes());
  gsync();
}

/* Node 1 sends node 0, which waits for an answer, a message that is too long for its handler. The
 * answer comes when node 0 asks for it. */
static void fail_and_answer(void) {
  const long answer = 5, big[2] = {1, 2};
  crecv(88, NULL, 0);
  usleep(20000); /* so that node 0 waits, as a rule */
  csend(87, big, sizeof big, 0, 0);
  crecv(90, NULL, 0);
  csend(89, &answer, sizeof answer, 0, 0);
}

/* When csendrecv has failed, it does not receive any more, so a later call gets the answer. */
static void failing_in_exchange(void) {
  long small = 0, lost = 0, got = 0;
  if (mynode() == 1) fail_and_answer();
  if (mynode() != 0) return;
  hrecv(87, &small, sizeof small, note);
  CHECK((errno = 0, _csendrecv(88, NULL, 0, 1, 0, 89, &lost, sizeof lost)) == -1);
  CHECK(errno == EMSGSIZE);
  csend(90, NULL, 0, 1, 0);
  crecv(89, &got, sizeof got);
  CHECK(got == 5 && lost == 0);
}

/* When msgwait has failed for a handler, its messages go on, and it may be called again. */
static void failing_in_msgwait(void) {
  long small = 0, got = 0;
  if (mynode() == 1) fail_and_answer();
  if (mynode() != 0) return;
  csend(91, NULL, 0, 0, 0);
  const long over = irecv(91, NULL, 0);
  const long id = msgmerge(over, irecv(89, &got, sizeof got));
  csend(88, NULL, 0, 1, 0);
  hrecv(87, &small, sizeof small, note); /* its message may fail the next call */
  CHECK((errno = 0, _msgwait(id)) == -1 && errno == EMSGSIZE);
  csend(90, NULL, 0, 1, 0);
  CHECK(_msgwait(id) == 0 && got == 5);
}

void test_handlers(void) {
  masked();
  gsync();
  others();
  gsync();
  failing_in_collective();
  if (numnodes() > 1) failing_in_exchange();
  if (numnodes() > 1) failing_in_msgwait();
  gsync();
  questions();
}
