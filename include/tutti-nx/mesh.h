/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Programs for the Delta include NX by this name.
 */
#ifndef TUTTI_NX_MESH_H
#define TUTTI_NX_MESH_H

#include <tutti-nx/nx.h>

#endif
