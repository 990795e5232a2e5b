/* SPDX-License-Identifier: BSD-3-Clause
 *
 * BSPlib of tutti (libtutti-bsp): the interface of 1998 with int sizes. With TUTTI_BSP_SIZE_T
 * defined (bspcc --size-t) it is the interface of BSPlib's successor, with unsigned process numbers
 * and size_t sizes. A program must be compiled as a whole with one of the two.
 *
 * It declares only names of BSPlib, of its successor and of Oxford's library, so that programs can
 * use any other name. What tutti adds is in bsp_tutti.h, bsp_broadcast in bsp_broadcast.h, and
 * Oxford's collectives on single values in bsp_level1.h.
 *
 * Processes do not share variables: what one of them does before bsp_begin, no other sees. A wrong
 * call ends all processes with one message and an exit code that is not 0.
 */
#ifndef TUTTI_BSP_H
#define TUTTI_BSP_H

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h> /* Programs for Oxford's library use stdout and printf without including it. */
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

/* Comes first in main if the parallel part is a function of its own, which begins with bsp_begin
 * and ends with bsp_end. The function may be static. Processes other than 0 never return from
 * bsp_init. After bsp_end it may be called again, for a further parallel part, which may have more
 * processes or fewer. */
TUTTI_API void bsp_init(void (*spmd)(void), int argc, char** argv);
/* Oxford's; does nothing, because all processes have the arguments of main. */
TUTTI_API void bsp_fix_argv(int* argc, char*** argv);
/* Begins the parallel part with at most `processes` processes; the number that process 0 gives
 * counts. A program started by hand starts that many. Processes that are not needed end here. */
TUTTI_API void bsp_begin(bsp_nprocs_t processes) TUTTI_BSP_CALL(bsp_begin);
TUTTI_API void bsp_end(void);
/* Ends all processes, with a message in the manner of printf. */
TUTTI_API void bsp_abort(const char* format, ...)
#ifdef __GNUC__
    __attribute__((format(printf, 1, 2)))
#endif
    ;
TUTTI_API void bsp_vabort(const char* format, va_list arguments);
/* Returns the number of processes; before bsp_begin, how many there can be. */
TUTTI_API bsp_nprocs_t bsp_nprocs(void);
TUTTI_API bsp_pid_t bsp_pid(void);
/* Returns the seconds since bsp_begin. */
TUTTI_API double bsp_time(void);
TUTTI_API void bsp_sync(void);

/* ---- remote memory ---- */

/* Registers memory. All processes register in the same order, each its own memory; NULL with size 0
 * if it has none. The registration is valid from the next bsp_sync on. The newest registration of
 * an address counts. */
TUTTI_API void bsp_push_reg(const void* address, bsp_size_t size) TUTTI_BSP_CALL(bsp_push_reg);
TUTTI_API void bsp_pop_reg(const void* address);
/* Copies the data at once. It arrives in bsp_sync, after all gets have read and written. */
TUTTI_API void bsp_put(bsp_pid_t pid, const void* source, void* destination, bsp_size_t offset,
                       bsp_size_t size) TUTTI_BSP_CALL(bsp_put);
/* Gets the data that is there when all processes have reached bsp_sync. */
TUTTI_API void bsp_get(bsp_pid_t pid, const void* source, bsp_size_t offset, void* destination,
                       bsp_size_t size) TUTTI_BSP_CALL(bsp_get);
/* bsp_hpput and bsp_hpget may copy at any time between the call and the end of bsp_sync. Until then
 * nobody may touch source or destination. Registered memory of bsp_alloc is reached directly, any
 * other as by bsp_put and bsp_get. */
TUTTI_API void bsp_hpput(bsp_pid_t pid, const void* source, void* destination, bsp_size_t offset,
                         bsp_size_t size) TUTTI_BSP_CALL(bsp_hpput);
TUTTI_API void bsp_hpget(bsp_pid_t pid, const void* source, bsp_size_t offset, void* destination,
                         bsp_size_t size) TUTTI_BSP_CALL(bsp_hpget);

/* MulticoreBSP's get that is done when it returns, in the superstep that runs. It gets what is
 * there then. */
TUTTI_API void bsp_direct_get(bsp_pid_t pid, const void* source, bsp_size_t offset,
                              void* destination, bsp_size_t size) TUTTI_BSP_CALL(bsp_direct_get);

/* ---- messages ---- */

/* Sets the size of tags from the next superstep on, and returns in *size the size set before. All
 * processes call it with the same size. */
TUTTI_API void bsp_set_tagsize(bsp_size_t* size) TUTTI_BSP_CALL(bsp_set_tagsize);
TUTTI_API void bsp_send(bsp_pid_t pid, const void* tag, const void* payload, bsp_size_t size)
    TUTTI_BSP_CALL(bsp_send);
TUTTI_API void bsp_hpsend(bsp_pid_t pid, const void* tag, const void* payload, bsp_size_t size)
    TUTTI_BSP_CALL(bsp_hpsend);
/* Returns the number of messages not yet moved and the bytes of their payloads. Either pointer may
 * be NULL. */
TUTTI_API void bsp_qsize(bsp_nprocs_t* messages, bsp_size_t* bytes) TUTTI_BSP_CALL(bsp_qsize);
/* Returns payload bytes and tag of the first message. *status is -1 (SIZE_MAX) if there is none. */
TUTTI_API void bsp_get_tag(bsp_size_t* status, void* tag) TUTTI_BSP_CALL(bsp_get_tag);
/* Copies at most `size` bytes of the first payload and removes the message. */
TUTTI_API void bsp_move(void* payload, bsp_size_t size) TUTTI_BSP_CALL(bsp_move);
/* Removes the first message and returns where it lies; it stays there until the next bsp_sync.
 * Returns the bytes of its payload, or -1. */
TUTTI_API bsp_size_t bsp_hpmove(void** tag, void** payload) TUTTI_BSP_CALL(bsp_hpmove);

/* ---- level 1: called by all processes, done on return ---- */

/* Combines `left` and `right` into `result`, of *size bytes each. It must be associative; operands
 * keep the order of the processes. */
typedef void (*bsp_operator)(void* result, void* left, void* right, int* size);

/* Copies `size` bytes of `source` on process root to `destination` on all processes. */
TUTTI_API void bsp_bcast(bsp_pid_t root, const void* source, void* destination, bsp_size_t size)
    TUTTI_BSP_CALL(bsp_bcast);
/* Combines the operands of all processes; all get the result. */
TUTTI_API void bsp_fold(bsp_operator op, const void* source, void* destination, bsp_size_t size)
    TUTTI_BSP_CALL(bsp_fold);
/* Combines the operands of processes 0 to this one. */
TUTTI_API void bsp_scan(bsp_operator op, const void* source, void* destination, bsp_size_t size)
    TUTTI_BSP_CALL(bsp_scan);
/* bsp_gather copies `size` bytes of each process, in order, to `destination` on root. bsp_scatter
 * does the reverse. */
TUTTI_API void bsp_gather(bsp_pid_t root, const void* source, void* destination, bsp_size_t size)
    TUTTI_BSP_CALL(bsp_gather);
TUTTI_API void bsp_scatter(bsp_pid_t root, const void* source, void* destination, bsp_size_t size)
    TUTTI_BSP_CALL(bsp_scatter);
/* Copies `size` bytes from each process to each. */
TUTTI_API void bsp_total_exchange(const void* source, void* destination, bsp_size_t size)
    TUTTI_BSP_CALL(bsp_total_exchange);

/* ---- Oxford's other names, and its clocks ---- */

/* bsp_pushregister is bsp_push_reg, bsp_popregister is bsp_pop_reg, bsp_set_tag_size is
 * bsp_set_tagsize, and bsp_bsmp_info is bsp_qsize. */
TUTTI_API void bsp_pushregister(const void* address, bsp_size_t size) TUTTI_BSP_CALL(bsp_push_reg);
TUTTI_API void bsp_popregister(const void* address);
TUTTI_API void bsp_set_tag_size(bsp_size_t* size) TUTTI_BSP_CALL(bsp_set_tagsize);
TUTTI_API void bsp_bsmp_info(bsp_nprocs_t* messages, bsp_size_t* bytes) TUTTI_BSP_CALL(bsp_qsize);
/* Returns the seconds since its last call; at first, since bsp_begin. */
TUTTI_API double bsp_dtime(void);
/* Returns the seconds of a processor that this process has used. */
TUTTI_API double bsp_cputime(void);

#ifdef __cplusplus
}
#endif
#endif
