/* SPDX-License-Identifier: BSD-3-Clause
 *
 * BSPlib of tutti (libtutti-bsp): the interface of 1998 with int sizes, or, with TUTTI_BSP_SIZE_T
 * defined (bspcc
 * --size-t), that of its successor with unsigned process numbers and size_t sizes. A program must
 * be compiled as a whole with one of the two.
 *
 * Processes do not share variables: what one of them does before bsp_begin, no other sees. A wrong
 * call ends all processes with one message and an exit code that is not 0.
 */
#ifndef TUTTI_BSP_H
#define TUTTI_BSP_H

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <tutti/tutti.h>

#ifdef __cplusplus
extern "C" {
#endif

#ifdef TUTTI_BSP_SIZE_T
typedef unsigned int bsp_pid_t;
typedef unsigned int bsp_nprocs_t;
typedef size_t bsp_size_t;
#define TUTTI_BSP_CALL(name) __asm__("tutti_size_t_" #name)
#else
typedef int bsp_pid_t;
typedef int bsp_nprocs_t;
typedef int bsp_size_t;
#define TUTTI_BSP_CALL(name)
#endif

/* ---- the program ---- */

/* First in main when the parallel part is a function of its own, which begins with bsp_begin and
 * ends with bsp_end. It may be static. Processes other than 0 never return from bsp_init. */
TUTTI_API void bsp_init(void (*spmd)(void), int argc, char** argv);
/* At most that many processes; what process 0 says counts. A program started by hand starts that
 * many. Processes that are not needed leave here. */
TUTTI_API void bsp_begin(bsp_nprocs_t processes) TUTTI_BSP_CALL(bsp_begin);
TUTTI_API void bsp_end(void);
/* Ends all processes, with a message as of printf. */
TUTTI_API void bsp_abort(const char* format, ...)
#ifdef __GNUC__
    __attribute__((format(printf, 1, 2)))
#endif
    ;
TUTTI_API void bsp_vabort(const char* format, va_list arguments);
/* Before bsp_begin: how many there can be. */
TUTTI_API bsp_nprocs_t bsp_nprocs(void);
TUTTI_API bsp_pid_t bsp_pid(void);
/* Seconds since bsp_begin. */
TUTTI_API double bsp_time(void);
TUTTI_API void bsp_sync(void);

/* ---- supersteps that do not wait for all ---- */

/* Called by all processes of the machine, in the same superstep, without gets, registrations or a
 * new tag size in it: what is sent arrives, and each process goes on as soon as it has what is for
 * it. counts[q]: how many puts and messages process q has for this one. No counts are exchanged. */
TUTTI_API void bsp_sync_counts(const bsp_nprocs_t* counts) TUTTI_BSP_CALL(bsp_sync_counts);
/* Only these processes may have something for this one, or it for them; each is in the other's
 * list. */
TUTTI_API void bsp_sync_neighbours(bsp_nprocs_t count, const bsp_pid_t* pids)
    TUTTI_BSP_CALL(bsp_sync_neighbours);

/* ---- groups: machines of their own, with their own numbers, registrations, messages and
 * supersteps ---- */

/* Processes that give the same color become a group, in the order of their keys; of equal keys, in
 * the order of their numbers. Called by all processes of the machine. The group's number in this
 * process; 0 for a negative color: none. */
TUTTI_API int bsp_group_split(int color, int key);
/* Until bsp_group_leave all calls mean the group: its members end its supersteps, and nobody else
 * waits. Groups can be split and entered inside of groups. */
TUTTI_API void bsp_group_enter(int group);
TUTTI_API void bsp_group_leave(void);
/* By all its members, outside of it, when nothing is on its way. */
TUTTI_API void bsp_group_free(int group);

/* ---- remote memory ---- */

/* All processes register in the same order, each its own memory; NULL with size 0 where there is
 * none. In force from the next bsp_sync; the newest registration of an address counts. */
TUTTI_API void bsp_push_reg(const void* address, bsp_size_t size) TUTTI_BSP_CALL(bsp_push_reg);
TUTTI_API void bsp_pop_reg(const void* address);
/* Copies at once; arrives in bsp_sync, after all gets have read and written. */
TUTTI_API void bsp_put(bsp_pid_t pid, const void* source, void* destination, bsp_size_t offset,
                       bsp_size_t size) TUTTI_BSP_CALL(bsp_put);
/* What is there when all processes have reached bsp_sync. */
TUTTI_API void bsp_get(bsp_pid_t pid, const void* source, bsp_size_t offset, void* destination,
                       bsp_size_t size) TUTTI_BSP_CALL(bsp_get);
/* The same without a promise when: between the call and the end of bsp_sync nobody may touch either
 * side. Registered memory of bsp_alloc is reached directly, any other as by bsp_put and bsp_get. */
TUTTI_API void bsp_hpput(bsp_pid_t pid, const void* source, void* destination, bsp_size_t offset,
                         bsp_size_t size) TUTTI_BSP_CALL(bsp_hpput);
TUTTI_API void bsp_hpget(bsp_pid_t pid, const void* source, bsp_size_t offset, void* destination,
                         bsp_size_t size) TUTTI_BSP_CALL(bsp_hpget);

/* Memory that other processes of the machine reach directly when it is registered. After bsp_begin;
 * not collective. */
TUTTI_API void* bsp_alloc(size_t size);
/* After the superstep in which it was deregistered. */
TUTTI_API void bsp_free(void* address);

/* ---- messages ---- */

/* In: the size of tags from the next superstep on. Out: the size set before. By all processes
 * alike. */
TUTTI_API void bsp_set_tagsize(bsp_size_t* size) TUTTI_BSP_CALL(bsp_set_tagsize);
TUTTI_API void bsp_send(bsp_pid_t pid, const void* tag, const void* payload, bsp_size_t size)
    TUTTI_BSP_CALL(bsp_send);
TUTTI_API void bsp_hpsend(bsp_pid_t pid, const void* tag, const void* payload, bsp_size_t size)
    TUTTI_BSP_CALL(bsp_hpsend);
/* Messages not yet moved, and the bytes of their payloads; either may be NULL. */
TUTTI_API void bsp_qsize(bsp_nprocs_t* messages, bsp_size_t* bytes) TUTTI_BSP_CALL(bsp_qsize);
/* Payload bytes and tag of the first message; -1 (SIZE_MAX) when there is none. */
TUTTI_API void bsp_get_tag(bsp_size_t* status, void* tag) TUTTI_BSP_CALL(bsp_get_tag);
/* Copies at most `size` bytes of the first payload and takes the message off. */
TUTTI_API void bsp_move(void* payload, bsp_size_t size) TUTTI_BSP_CALL(bsp_move);
/* Takes the first message off and shows where it lies, until the next bsp_sync. Returns its
 * payload's bytes, or -1. */
TUTTI_API bsp_size_t bsp_hpmove(void** tag, void** payload) TUTTI_BSP_CALL(bsp_hpmove);

/* ---- level 1: called by all processes, done on return ---- */

/* result, left and right are *size bytes. Associative; the operands keep the order of the
 * processes. */
typedef void (*bsp_operator)(void* result, void* left, void* right, int* size);

/* `size` bytes of `source` on process root to `destination` everywhere. */
TUTTI_API void bsp_bcast(bsp_pid_t root, const void* source, void* destination, bsp_size_t size)
    TUTTI_BSP_CALL(bsp_bcast);
/* The same in place. */
TUTTI_API void bsp_broadcast(bsp_pid_t root, void* data, bsp_size_t size)
    TUTTI_BSP_CALL(bsp_broadcast);
/* The operands of all processes, combined, to all. */
TUTTI_API void bsp_fold(bsp_operator op, const void* source, void* destination, bsp_size_t size)
    TUTTI_BSP_CALL(bsp_fold);
/* Those of processes 0 to this one. */
TUTTI_API void bsp_scan(bsp_operator op, const void* source, void* destination, bsp_size_t size)
    TUTTI_BSP_CALL(bsp_scan);
/* `size` bytes of each process, in order, to `destination` on root; and the reverse. */
TUTTI_API void bsp_gather(bsp_pid_t root, const void* source, void* destination, bsp_size_t size)
    TUTTI_BSP_CALL(bsp_gather);
TUTTI_API void bsp_scatter(bsp_pid_t root, const void* source, void* destination, bsp_size_t size)
    TUTTI_BSP_CALL(bsp_scatter);
/* `size` bytes from each process to each. */
TUTTI_API void bsp_total_exchange(const void* source, void* destination, bsp_size_t size)
    TUTTI_BSP_CALL(bsp_total_exchange);

/* sizes[q] bytes to process q, one part after the other, and from it; each process gives its own
 * sizes. */
TUTTI_API void bsp_total_exchangev(const void* source, const bsp_size_t* source_sizes,
                                   void* destination, const bsp_size_t* destination_sizes)
    TUTTI_BSP_CALL(bsp_total_exchangev);

#undef TUTTI_BSP_CALL
#ifdef __cplusplus
}
#endif
#endif
