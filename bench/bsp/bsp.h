/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The part of BSPlib over MPI that the probe and the C++ interface use. The benches compare
 * tutti with it. Paper 003 calls it MPIMPASS and, with BENCH_BSP_WINDOWS, MPISHMEM. It is kept
 * simple on purpose.
 */
#ifndef BENCH_BSP_H
#define BENCH_BSP_H

#include <stddef.h>

typedef int bsp_pid_t, bsp_nprocs_t, bsp_size_t;

void bsp_begin(int processes);
void bsp_end(void);
void bsp_abort(const char* format, ...);
int bsp_nprocs(void);
int bsp_pid(void);
double bsp_time(void);
void bsp_sync(void);
void bsp_push_reg(const void* address, int size);
void bsp_pop_reg(const void* address);
void bsp_put(int pid, const void* source, void* destination, int offset, int size);
void bsp_hpput(int pid, const void* source, void* destination, int offset, int size);
void bsp_get(int pid, const void* source, int offset, void* destination, int size);
void bsp_hpget(int pid, const void* source, int offset, void* destination, int size);
void* bsp_alloc(size_t size);
void bsp_free(void* address);
void bsp_set_tagsize(int* size);
void bsp_send(int pid, const void* tag, const void* payload, int size);
void bsp_qsize(int* messages, int* bytes);
void bsp_get_tag(int* status, void* tag);
void bsp_move(void* payload, int size);
int bsp_hpmove(void** tag, void** payload);

void bsp_broadcast(int root, void* data, int size);
void bsp_fold(void (*op)(void* result, void* left, void* right, int* size), const void* source,
              void* destination, int size);
void bsp_total_exchange(const void* source, void* destination, int size);
void bsp_total_exchangev(const void* source, const int* source_sizes, void* destination,
                         const int* destination_sizes);

#endif
