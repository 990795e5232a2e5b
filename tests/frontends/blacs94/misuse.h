/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The mistakes of blacs94_misuse by name, and what they have in common.
 */
#ifndef MISUSE_H
#define MISUSE_H

#include <tutti-blacs94/tutti_blacs94.h>

/* A table of them ends with NULL. */
struct mistake {
  const char* name;
  void (*make)(void);
};
/* With what our BLACS add to BLACS 1.0. All have the grid of 2 x 2. */
extern const struct mistake mistakes_with_additions[];

extern int me, zero, one, two, three, four, minus;
extern double x[16];
extern int places[16];

void send_to(int row, int column);

#endif
