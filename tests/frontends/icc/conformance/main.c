/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The conformance suite of iCC: every call of both interfaces, on any number of nodes.
 */
#include "conformance.h"

#include <tutti/tutti.h>

long me, nodes, wrong;

int main(void) {
  /* Before it is initialised, the group interface says so. */
  EXPECT(iCC_g_Group_init() == iCC_g_ERROR_NO_INITIALIZATION);
  EXPECT(iCC_g_Barrier(iCC_g_COMM_WORLD) == iCC_g_ERROR_NO_INITIALIZATION);
  iCC_initialize();
  iCC_initialize();
  iCC_work_init(longest * sizeof(double));
  nodes = tutti_size(tutti_world());
  me = tutti_rank(tutti_world());
  simple_interface();
  EXPECT(iCC_g_Barrier(iCC_g_COMM_WORLD) == iCC_g_ERROR_NO_INITIALIZATION);
  EXPECT(iCC_g_Group_init() == iCC_g_OK);
  EXPECT(iCC_g_Group_init() == iCC_g_OK);
  group_interface();
  group_errors();
  long all = wrong, work;
  iCC_gisum(&all, 1, &work);
  if (me == 0 && all == 0) printf("%ld nodes conform\n", nodes);
  return all == 0 ? 0 : 1;
}
