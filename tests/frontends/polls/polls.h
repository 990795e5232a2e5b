/* SPDX-License-Identifier: BSD-3-Clause */
/* Programs that look for messages in a loop, on fewer processors than ranks. A token goes round;
 * each rank looks for it in one of the ways of its interface. polls.c measures. */
#pragma once

enum { MOST_WAYS = 4 };
extern const char* const interface_name;
extern const char* const ways[MOST_WAYS]; /* NULL behind the last */

int start(int* argc, char*** argv, int* rank); /* returns the number of ranks */
void finish(void);
void send_token(int to);
/* Takes the token if it has come. Returns 0 if it has not. */
int look_for_token(int way, int from);
