/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The name under which programs include what tutti adds to BSPlib. Here bsp.h has the part of it
 * that the probe and the textbook programs use.
 */
#include "bsp.h"
