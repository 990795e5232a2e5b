/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The calls of a program that is compiled with -DTUTTI_NX_INT32, by the names that programs for the
 * iPSC include.
 */
#include <cube.h>

#include "conformance/check.h"

long failures = 0;

static int one(int (*initial)(int node), void (*call)(int*, long, int*),
               long (*form)(int*, long, int*)) {
  int x[3] = {-7, initial((int)mynode()), -8}, again[3] = {-7, initial((int)mynode()), -8}, work;
  call(&x[1], 1, &work);
  CHECK(form(&again[1], 1, &work) == 0);
  CHECK(x[0] == -7 && x[2] == -8); /* with elements of 64 bits, a neighbour would change */
  CHECK(again[0] == -7 && again[2] == -8 && again[1] == x[1]);
  return x[1];
}

static int itself(int node) {
  return node + 1;
}
static int two(int node) {
  (void)node;
  return 2;
}
static int odd(int node) {
  return node % 2;
}

static void combine(void) {
  const int p = (int)numnodes();
  CHECK(one(itself, gisum, _gisum) == p * (p + 1) / 2);
  CHECK(one(two, giprod, _giprod) == 1 << p);
  CHECK(one(itself, gihigh, _gihigh) == p);
  CHECK(one(itself, gilow, _gilow) == 1);
  CHECK(one(two, giand, _giand) == 2 && one(odd, gior, _gior) == (p > 1));
  CHECK(one(odd, gixor, _gixor) == p / 2 % 2);
  CHECK(one(odd, gland, _gland) == 0 && one(odd, glor, _glor) == (p > 1));
  CHECK(one(odd, glxor, _glxor) == p / 2 % 2);
}

static void collect(void) {
  const int p = (int)numnodes();
  int mine = 10 * (int)mynode(), all[64], lengths[64], counted[2] = {0, -1};
  gcol((char*)&mine, sizeof mine, (char*)all, sizeof all, counted);
  CHECK(counted[0] == p * (int)sizeof mine && counted[1] == -1);
  for (int node = 0; node < p; node++) CHECK(all[node] == 10 * node);
  for (int node = 0; node < p; node++) lengths[node] = node == 0 ? 0 : (int)sizeof mine;
  CHECK(_gcolx((char*)&mine, lengths, (char*)all) == 0);
  for (int node = 1; node < p; node++) CHECK(all[node - 1] == 10 * node);
  CHECK(_gcolx((char*)&mine, NULL, (char*)all) == -1 && errno == EFAULT);
}

static void messages(void) {
  int info[10], list[2], got = 0, rows[2] = {0, -1}, columns[2] = {0, -1};
  const int value = (int)mynode();
  info[8] = info[9] = -9;
  list[0] = list[1] = (int)next_node();
  gsendx(4, (char*)&value, sizeof value, list, 2);
  cprobex(4, node_before(), -1, info);
  CHECK(info[0] == 4 && info[1] == sizeof value && info[2] == node_before() && info[3] == 0);
  crecvx(4, (char*)&got, sizeof got, node_before(), -1, info);
  CHECK(got == node_before() && info[2] == node_before() && info[8] == -9);
  CHECK(iprobex(5, -1, -1, info) == 0);
  const long id = irecvx(5, (char*)&got, sizeof got, mynode(), -1, msginfo);
  csend(5, (char*)&value, sizeof value, mynode(), 0);
  msgwait(id);
  CHECK(msginfo[0] == 5 && msginfo[2] == mynode() && infotype() == 5 && infonode() == mynode());
  crecv(4, (char*)&got, sizeof got);
  CHECK(msginfo[0] == 4 && msginfo[2] == node_before());
  CHECK(nx_app_rect(rows, columns) == 0 && rows[0] == 1 && columns[0] == numnodes());
  CHECK(rows[1] == -1 && columns[1] == -1 && _nx_app_rect(NULL, columns) == -1);
  CHECK(_gsendx(4, (char*)&value, sizeof value, list, -1) == -1 && errno == EINVAL);
}

int main(void) {
  combine();
  collect();
  messages();
  gsync();
  if (failures == 0 && mynode() == 0) puts("int is right");
  return failures != 0;
}
