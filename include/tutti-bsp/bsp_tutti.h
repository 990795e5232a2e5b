/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Declares what tutti adds to BSPlib: supersteps that do not wait for all, groups, memory that
 * others reach directly, and a complete exchange of unequal sizes. A program that includes bsp.h
 * alone can use these names for functions of its own.
 */
#ifndef TUTTI_BSP_TUTTI_H
#define TUTTI_BSP_TUTTI_H

#include <tutti-bsp/bsp.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- supersteps that do not wait for all ---- */

/* Ends a superstep in which counts[q] puts and messages of process q are for this process. All
 * processes of the machine call it in the same superstep, which has no gets, no registrations and
 * no new tag size. Each process continues as soon as it has what is for it. No counts are
 * exchanged. */
TUTTI_API void bsp_sync_counts(const bsp_nprocs_t* counts) TUTTI_BSP_CALL(bsp_sync_counts);
/* Ends a superstep in which only these processes may have something for this one, or this one for
 * them. Each of two neighbours has the other in its list. */
TUTTI_API void bsp_sync_neighbours(bsp_nprocs_t count, const bsp_pid_t* pids)
    TUTTI_BSP_CALL(bsp_sync_neighbours);

/* ---- groups: machines of their own, with their own numbers, registrations, messages and
 * supersteps ---- */

/* Makes groups of the processes that give the same color, ordered by key, and by process number
 * where keys are equal. All processes of the machine call it. Returns the group's number in this
 * process; 0, no group, for a negative color. */
TUTTI_API int bsp_group_split(int color, int key);
/* Until bsp_group_leave, all calls refer to the group: its members end its supersteps, and no other
 * process waits. Groups can be split and entered inside of groups. */
TUTTI_API void bsp_group_enter(int group);
TUTTI_API void bsp_group_leave(void);
/* Frees a group. All its members call it, outside of the group, when none of its data is on its
 * way. */
TUTTI_API void bsp_group_free(int group);

/* ---- memory that other processes reach directly ---- */

/* Allocates memory that other processes of the machine reach directly if it is registered. Allowed
 * after bsp_begin; not collective. */
TUTTI_API void* bsp_alloc(size_t size);
/* Frees memory of bsp_alloc. If it was deregistered in this superstep, it is there until the
 * superstep ends. */
TUTTI_API void bsp_free(void* address);

/* ---- a collective ---- */

/* Sends sizes[q] bytes to process q, one part after the other, and receives from it. Each process
 * gives its own sizes. */
TUTTI_API void bsp_total_exchangev(const void* source, const bsp_size_t* source_sizes,
                                   void* destination, const bsp_size_t* destination_sizes)
    TUTTI_BSP_CALL(bsp_total_exchangev);

#ifdef __cplusplus
}
#endif
#endif
