/* SPDX-License-Identifier: BSD-3-Clause */
#include "check.h"

static void clocks(void) {
  const double second = dclock();
  const unsigned long milli = mclock();
  while (dclock() < second + 0.002) flick();
  CHECK(mclock() > milli && _mclock() > 0 && _dclock() > 0);
  led(1);
  CHECK(_led(0) == 0 && _flick() == 0);
}

static void codes(void) {
  const long codes[] = {0, 1, 3, 2, 6, 7, 5, 4, 12};
  long rows = 0, cols = 0;
  for (long n = 0; n < 9; n++) CHECK(gray(n) == codes[n] && ginv(codes[n]) == n);
  for (long n = 0; n < 4096; n++) CHECK(_ginv(_gray(n)) == n);
  CHECK(nx_app_rect(&rows, &cols) == 0 && rows == 1 && cols == numnodes());
  CHECK(_nx_app_rect(NULL, &cols) == -1 && errno == EFAULT);
  CHECK(mypart(&rows, &cols) == 0 && rows == 1 && cols == numnodes());
}

static void application(void) {
  nx_nodes_t list = NULL;
  unsigned long size = 0;
  esize_t before = 0, after = 0;
  CHECK(nx_app_nodes(0, &list, &size) == 0 && size == (unsigned long)numnodes());
  for (unsigned long node = 0; node < size; node++) CHECK(list[node] == (long)node);
  free(list);
  CHECK(_nx_app_nodes(0, NULL, &size) == -1 && errno == EFAULT);
  CHECK(nx_pri(0, 5) == 0 && _nx_pri(0, 11) == -1 && errno == EINVAL);
  hwclock(&before);
  const double second = dclock();
  while (dclock() < second + 0.002) flick();
  CHECK(_hwclock(&after) == 0 && after - before >= HWHZ / 1000);
  CHECK(_hwclock(NULL) == -1 && errno == EFAULT);
}

#define NO_HOST(call) CHECK((errno = 0, (call) == -1) && errno == ENOSYS)

static void no_host(void) {
  long a = 0, b = 0, c = 0;
  int argc = 0;
  char* argv[] = {NULL};
  killcube(-1, -1);
  CHECK(_killcube(-1, -1) == 0);
  NO_HOST(_attachcube("mine"));
  NO_HOST(_getcube("mine", "4", NULL, 0));
  NO_HOST(_relcube("mine"));
  NO_HOST(_load("node", -1, 0));
  NO_HOST(_killproc(-1, 0));
  NO_HOST(_waitall(-1, 0));
  NO_HOST(_waitone(-1, 0, &a, &b, &c));
  NO_HOST(_nx_initve("open", 4, "", &argc, argv));
  NO_HOST(_nx_nfork(NULL, -1, 0, &a));
  NO_HOST(_nx_load(NULL, -1, 0, &a, "node"));
  NO_HOST(_nx_waitall());
  NO_HOST(_nx_loadve(NULL, -1, 0, &a, "node", argv, argv));
  NO_HOST(_nx_initve_rect("open", 0, 2, 2, "", &argc, argv));
  NO_HOST(_nx_initve_attr("open", &argc, argv, -1));
  NO_HOST(_nx_mkpart("mine", 4, 0));
  NO_HOST(_nx_mkpart_rect("mine", 2, 2, 0));
  NO_HOST(_nx_mkpart_map("mine", 1, &a, 0));
  NO_HOST(_nx_mkpart_attr("mine", -1));
  NO_HOST(_nx_rmpart("mine", 0, 0));
  NO_HOST(_nx_pspart("mine", NULL, NULL));
  NO_HOST(_nx_chpart_epl("mine", 1));
  NO_HOST(_nx_chpart_mod("mine", 0777));
  NO_HOST(_nx_chpart_name("mine", "yours"));
  NO_HOST(_nx_chpart_owner("mine", 0, 0));
  NO_HOST(_nx_chpart_rq("mine", 1));
  NO_HOST(_nx_chpart_sched("mine", 0));
}

void test_nodes(void) {
  long dimension = 0;
  while (2L << dimension <= numnodes()) dimension++;
  CHECK(mynode() >= 0 && mynode() < numnodes());
  CHECK(_mynode() == mynode() && _numnodes() == numnodes());
  CHECK(nodedim() == dimension && _nodedim() == dimension);
  CHECK(myhost() == numnodes() && _myhost() == numnodes());
  CHECK(mypid() == 0 && myptype() == 0);
  clocks();
  codes();
  application();
  no_host();
  setpid(7);
  CHECK(mypid() == 7 && _mypid() == 7 && _myptype() == 7);
  CHECK(_setpid(0) == 0 && mypid() == 0);
  setptype(3);
  CHECK(myptype() == 3 && _setptype(-1) == -1 && errno == EINVAL);
  CHECK(_setptype(0) == 0 && myptype() == 0);
}
