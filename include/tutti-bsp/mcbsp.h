/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The header's name in MulticoreBSP for C, with its names of types. Its processes are threads of
 * one program; those of tutti do not share variables.
 */
#ifndef TUTTI_BSP_MCBSP_H
#define TUTTI_BSP_MCBSP_H

#include <tutti-bsp/bsp.h>

/* MulticoreBSP's macros for the type of process numbers and the type of sizes. */
#ifdef TUTTI_BSP_SIZE_T
#define MCBSP_PROCESSOR_INDEX_DATATYPE unsigned int
#define MCBSP_BYTESIZE_TYPE size_t
#else
#define MCBSP_PROCESSOR_INDEX_DATATYPE int
#define MCBSP_BYTESIZE_TYPE int
#endif

#endif
