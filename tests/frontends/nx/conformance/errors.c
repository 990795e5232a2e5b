/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The calls with an underscore return -1 and set errno.
 */
#include "check.h"

#define FAILS(error, call) CHECK((errno = 0, (call) == -1) && errno == (error))

static void arguments(void) {
  long value = 0, big[2] = {1, 2}, list[] = {0, 99999}, in = -1;
  FAILS(EINVAL, _csend(-1, &value, 8, 0, 0));
  FAILS(EINVAL, _csend(1L << 31, &value, 8, 0, 0));
  FAILS(EINVAL, _csend(1, &value, -8, 0, 0));
  FAILS(EFAULT, _csend(1, NULL, 8, 0, 0));
  FAILS(EINVAL, _csend(1, &value, 8, numnodes(), 0));
  FAILS(EINVAL, _csend(1, &value, 8, -2, 0));
  FAILS(EINVAL, _isend(-7, &value, 8, 0, 0));
  FAILS(EINVAL, _isend(7, &value, 8, numnodes() + 5, 0));
  FAILS(EINVAL, _gsendx(7, &value, 8, list, 2));
  FAILS(EINVAL, _gsendx(7, &value, 8, list, -1));
  FAILS(EINVAL, _crecv(1, &value, -1));
  FAILS(EFAULT, _crecv(1, NULL, 1));
  FAILS(EINVAL, _crecv(1L << 32, &value, 8));
  FAILS(EINVAL, _crecvx(1, &value, 8, numnodes(), 0, big));
  FAILS(EFAULT, _irecv(1, NULL, 1));
  FAILS(EINVAL, _irecvx(1, &value, 8, -3, 0, big));
  FAILS(EINVAL, _iprobe(-2147483649L));
  FAILS(EINVAL, _cprobex(1, numnodes(), 0, big));
  FAILS(EINVAL, _csendrecv(1, &value, 8, 0, 0, 1, &in, -1));
  FAILS(EINVAL, _isendrecv(1, &value, 8, numnodes(), 0, 1, &in, 8));
  FAILS(EINVAL, _setpid(-1));
}

static void ids(void) {
  long value = 0, in = -1;
  FAILS(EINVAL, _msgwait(12345));
  FAILS(EINVAL, _msgdone(-1));
  FAILS(EINVAL, _msgignore(77));
  FAILS(EINVAL, _msgcancel(77));
  FAILS(EINVAL, _msgmerge(77, 78));
  CHECK(_msgmerge(-1, -1) == -1);
  const long id = irecv(70, &in, sizeof in);
  FAILS(EINVAL, _msgmerge(id, id));
  csend(70, &value, sizeof value, mynode(), 0);
  msgwait(id);
  FAILS(EINVAL, _msgwait(id)); /* it is used up */
}

static void lengths(void) {
  long big[2] = {1, 2}, in = 0;
  csend(71, big, sizeof big, mynode(), 0);
  FAILS(EMSGSIZE, _crecv(71, &in, sizeof in));
  CHECK(_crecv(71, big, sizeof big) == 0 && infocount() == sizeof big); /* it was still there */
  const long posted = irecv(72, &in, sizeof in);
  csend(72, big, sizeof big, mynode(), 0);
  FAILS(EMSGSIZE, _msgwait(posted));
  FAILS(EINVAL, _msgwait(posted)); /* the error has used it up */
  const long polled = irecv(72, &in, sizeof in);
  csend(72, big, sizeof big, mynode(), 0);
  FAILS(EMSGSIZE, _msgdone(polled));
  FAILS(EINVAL, _msgdone(polled));
  CHECK(in == 0 && iprobex(-1, mynode(), -1, big) == 0);
}

void test_errors(void) {
  arguments();
  ids();
  lengths();
}
