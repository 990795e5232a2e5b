// SPDX-License-Identifier: BSD-3-Clause
// The wall clock of the BLACS advances as the virtual time does.
#include <stdio.h>
#include <tutti-blacs/tutti_blacs.h>
#include <tutti/tutti_runtime.h>
#include <tutti/tutti_time.h>

int main(void) {
  int me, p, context;
  Cblacs_pinfo(&me, &p);
  Cblacs_get(-1, 0, &context);
  Cblacs_gridinit(&context, "Row", 1, p);
  const double begin = Cdwalltime00();
  const uint64_t begin_ns = tutti_nanoseconds();
  tutti_spend_time(2500000);
  Cblacs_barrier(context, "All");
  const double took = Cdwalltime00() - begin;
  const double wanted = (double)(tutti_nanoseconds() - begin_ns) / 1e9;
  const int wrong = took < wanted - 1e-8 || took > wanted + 1e-8 || took < 0.0025;
  if (wrong) printf("Cdwalltime00: %.9f, not %.9f\n", took, wanted);
  Cblacs_gridexit(context);
  Cblacs_exit(0);
  return wrong;
}
