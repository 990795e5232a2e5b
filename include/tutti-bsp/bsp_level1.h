/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Oxford's name of the header of the collectives of level 1. They are in bsp.h.
 */
#include <tutti-bsp/bsp.h>
