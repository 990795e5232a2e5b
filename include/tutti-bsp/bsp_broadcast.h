/* SPDX-License-Identifier: BSD-3-Clause
 *
 * bsp_broadcast, for programs of P. Krusche's thesis. bsp.h does not declare it, because textbook
 * programs define a function of this name with other arguments.
 */
#ifndef TUTTI_BSP_BROADCAST_H
#define TUTTI_BSP_BROADCAST_H

#include <tutti-bsp/bsp.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Copies `size` bytes of `data` on process root to `data` on all processes. */
TUTTI_API void bsp_broadcast(bsp_pid_t root, void* data, bsp_size_t size)
    TUTTI_BSP_CALL(bsp_broadcast);

#ifdef __cplusplus
}
#endif
#endif
