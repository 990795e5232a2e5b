/* SPDX-License-Identifier: BSD-3-Clause */
#include "check.h"

void test_nodes(void) {
  long dimension = 0;
  while (2L << dimension <= numnodes()) dimension++;
  CHECK(mynode() >= 0 && mynode() < numnodes());
  CHECK(_mynode() == mynode() && _numnodes() == numnodes());
  CHECK(nodedim() == dimension && _nodedim() == dimension);
  CHECK(myhost() == numnodes() && _myhost() == numnodes());
  CHECK(mypid() == 0 && myptype() == 0);
  setpid(7);
  CHECK(mypid() == 7 && _mypid() == 7 && _myptype() == 7);
  CHECK(_setpid(0) == 0 && mypid() == 0);
}
