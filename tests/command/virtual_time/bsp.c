// SPDX-License-Identifier: BSD-3-Clause
// The clock of BSPlib, which begins with bsp_begin, advances as the virtual time does.
#include <bsp.h>
#include <stdio.h>
#include <tutti/tutti_runtime.h>
#include <tutti/tutti_time.h>

int main(void) {
  bsp_begin(bsp_nprocs());
  const double begin = bsp_time();
  const uint64_t begin_ns = tutti_nanoseconds();
  tutti_spend_time(2500000);
  bsp_sync();
  const double took = bsp_time() - begin;
  const double wanted = (double)(tutti_nanoseconds() - begin_ns) / 1e9;
  const int wrong = took < wanted - 1e-8 || took > wanted + 1e-8 || took < 0.0025;
  if (wrong) printf("bsp_time: %.9f, not %.9f\n", took, wanted);
  bsp_end();
  return wrong;
}
