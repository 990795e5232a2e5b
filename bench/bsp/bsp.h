/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The part of BSPlib that the probe uses, over MPI, as a peer to measure against: what paper 003 calls MPIMPASS and, with
 * BENCH_BSP_WINDOWS, MPISHMEM. Straightforward on purpose.
 */
#ifndef BENCH_BSP_H
#define BENCH_BSP_H

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
void bsp_send(int pid, const void* tag, const void* payload, int size);
void bsp_qsize(int* messages, int* bytes);
void bsp_get_tag(int* status, void* tag);
void bsp_move(void* payload, int size);

#endif
