/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Runs collectives by plans that the driver names, through the plan calls of tutti.h.
 */
#ifndef TUTTI_BENCH_DRIVER_PLANS_H
#define TUTTI_BENCH_DRIVER_PLANS_H

#include "tutti/tutti.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { no_plans = -1 };
/* Gets the plans with this name, such as tree:branches=2, for the operation and each of its
 * roots. Returns the number under which they are kept, or no_plans after a message. */
int bench_plans_named(tutti_group group, int op, const char* name);
tutti_status bench_plans_run(int number, int root, const tutti_data* input,
                             const tutti_data* output);

#ifdef __cplusplus
}
#endif
#endif
