/* SPDX-License-Identifier: BSD-3-Clause */
/* A library in a folder that the loader does not search. needs_library.c is linked with it. */
int needed_value(void);

int needed_value(void) {
  return 0;
}
