/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Messages that are sent, received and probed for by calls that wait.
 */
#include "check.h"

static const long lengths[] = {0, 1, 40, 41, 100, 101, 4096, 70000, 1000003};
enum { length_count = sizeof lengths / sizeof *lengths };

static char letter(long node, long i) {
  return (char)('a' + (node * 7 + i) % 26);
}

static void around_a_ring(void) {
  for (int i = 0; i < length_count; i++) {
    const long length = lengths[i];
    char* out = malloc((size_t)length + 1);
    char* in = calloc((size_t)length + 9, 1);
    for (long k = 0; k < length; k++) out[k] = letter(mynode(), k);
    csend(10 + i, out, length, next_node(), mypid());
    memset(out, '!', (size_t)length); /* the message has left */
    crecv(10 + i, in, length + 9);
    CHECK(infotype() == 10 + i && infocount() == length);
    CHECK(infonode() == node_before() && infopid() == 0 && infoptype() == 0);
    int right = 1;
    for (long k = 0; k < length; k++) right = right && in[k] == letter(node_before(), k);
    CHECK(right && in[length] == 0);
    free(out);
    free(in);
  }
}

static void in_order(void) {
  enum { count = 200 };
  for (long i = 0; i < count; i++) csend(i % 2, &i, sizeof i, next_node(), 0);
  for (long i = 1; i < count; i += 2) { /* those of type 0 wait meanwhile */
    long value = -1;
    crecv(1, &value, sizeof value);
    CHECK(value == i);
  }
  for (long i = 0; i < count; i += 2) {
    long value = -1;
    crecvx(-1, &value, sizeof value, node_before(), -1, msginfo);
    CHECK(value == i && infotype() == 0);
  }
}

static void to_all_others(void) {
  /* Messages of several nodes come in any order, so each has a type of its own. */
  const long size = 5000, type = 200;
  char* data = malloc((size_t)size);
  for (long root = 0; root < numnodes(); root++) {
    memset(data, mynode() == root ? 'x' : '-', (size_t)size);
    if (mynode() == root) {
      csend(type + root, data, size, -1, 0);
    } else {
      crecv(type + root, data, size);
      CHECK(infonode() == root);
    }
    CHECK(data[0] == 'x' && data[size - 1] == 'x');
  }
  meet();
  CHECK(iprobe(type + mynode()) == 0); /* the sender has no message of its own */
  free(data);
}

static void to_a_list(void) {
  long list[3], value = mynode(), got = 0;
  list[0] = next_node();
  list[1] = mynode();
  list[2] = next_node();
  gsendx(21, &value, sizeof value, list, 3);
  gsendx(22, &value, sizeof value, NULL, 0);
  for (int i = 0; i < 3; i++) {
    crecv(21, &got, sizeof got);
    CHECK(got == infonode() && (got == node_before() || got == mynode()));
  }
  CHECK(iprobe(22) == 0);
}

static void extended(void) {
  long info[8] = {0}, value = 100 + mynode(), got = 0;
  setpid(3);
  csend(30, &value, sizeof value, next_node(), 0);
  setpid(4);
  value += 1000;
  csend(31, &value, sizeof value, next_node(), 0);
  setpid(0);
  cprobex(-1, node_before(), 4, info);
  CHECK(info[0] == 31 && info[1] == sizeof value && info[2] == node_before() && info[3] == 4);
  CHECK(iprobex(30, node_before(), 4, info) == 0);
  CHECK(iprobex(30, node_before(), 3, info) == 1 && info[0] == 30);
  crecvx(-1, &got, sizeof got, node_before(), 4, info);
  CHECK(got == 1100 + node_before() && info[0] == 31 && info[3] == 4);
  crecvx(30, &got, sizeof got, -1, -1, msginfo);
  CHECK(got == 100 + node_before());
  CHECK(infotype() == 30 && infoptype() == 3 && infonode() == node_before());
}

static void probes(void) {
  long value[3] = {1, 2, 3};
  CHECK(iprobe(49) == 0 && _iprobe(49) == 0);
  csend(40, value, sizeof value, next_node(), 0);
  csend(41, value, 4, next_node(), 0);
  cprobe(41);
  CHECK(infotype() == 41 && infocount() == 4 && infonode() == node_before());
  CHECK(iprobe(40) == 1 && infocount() == sizeof value && _infocount() == sizeof value);
  CHECK(_infotype() == 40 && _infonode() == node_before() && _infopid() == 0);
  crecv(40, value, sizeof value);
  CHECK(iprobe(40) == 0 && iprobe(41) == 1);
  flushmsg(41, -1, -1);
  CHECK(iprobe(41) == 0);
}

static void to_and_fro(void) {
  long out = mynode(), in[2] = {-1, -1};
  CHECK(csendrecv(50, &out, sizeof out, next_node(), 0, 50, in, sizeof in) == sizeof out);
  CHECK(in[0] == node_before() && in[1] == -1 && infonode() == node_before());
  CHECK(_csendrecv(51, &out, 0, next_node(), 0, 51, in, sizeof in) == 0);
}

void test_waited(void) {
  void (*const parts[])(void) = {around_a_ring, in_order, to_all_others, to_a_list,
                                 extended,      probes,   to_and_fro};
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
    parts[i]();
    meet();
  }
}
