/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Virtual time for programs: `tutti run --machine M` gives a job the time of a described machine.
 * Programs need none of this, because their clocks are that machine's anyway. Outside of such a job
 * these functions do nothing.
 */
#ifndef TUTTI_TUTTI_TIME_H
#define TUTTI_TUTTI_TIME_H

#include <tutti/tutti.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Returns 1 if the job of this process has virtual time, also before tutti_init and after
 * tutti_finalize; otherwise 0. tutti_nanoseconds() then counts from the beginning of the job. */
TUTTI_API int tutti_has_virtual_time(void);
/* This process computes for so long, and 1 is returned. Before tutti_init, after tutti_finalize and
 * outside of virtual time nothing happens, and 0 is returned. */
TUTTI_API int tutti_spend_time(uint64_t nanoseconds);
/* The same, until this time by tutti_nanoseconds(). If it is over, no time passes. */
TUTTI_API int tutti_spend_until(uint64_t time);

#ifdef __cplusplus
}
#endif

#endif
