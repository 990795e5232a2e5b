/* SPDX-License-Identifier: BSD-3-Clause */
/* A library that needs_library.c is linked with, in a folder that the loader does not search. */
int needed_value(void);

int needed_value(void) {
  return 0;
}
