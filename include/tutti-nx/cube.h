/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Programs for the iPSC include NX by this name.
 */
#ifndef TUTTI_NX_CUBE_H
#define TUTTI_NX_CUBE_H

#include <tutti-nx/nx.h>

#endif
