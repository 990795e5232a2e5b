/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The old name of the header of iCC's group interface.
 */
#ifndef TUTTI_ICC_GROUP_H
#define TUTTI_ICC_GROUP_H

#include "icc.h"

#endif
