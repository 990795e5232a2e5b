/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The table of BSPlib calls that bsp.hpp uses. Either libtutti-bsp fills it, or another BSPlib that
 * is chosen when the program starts. Sizes are int, as in 1998.
 */
#ifndef TUTTI_BSP_BACKEND_H
#define TUTTI_BSP_BACKEND_H

#include <stddef.h>
#include <tutti/tutti.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
  size_t struct_size;
  const char* name; /* "tutti", or the path of the library */

  /* Every BSPlib has these calls; their names there begin with bsp_. */
  void (*begin)(int processes);
  void (*end)(void);
  void (*abort)(const char* format, ...);
  int (*nprocs)(void);
  int (*pid)(void);
  double (*time)(void);
  void (*sync)(void);
  void (*push_reg)(const void* address, int size);
  void (*pop_reg)(const void* address);
  void (*put)(int pid, const void* source, void* destination, int offset, int size);
  void (*get)(int pid, const void* source, int offset, void* destination, int size);
  void (*hpput)(int pid, const void* source, void* destination, int offset, int size);
  void (*hpget)(int pid, const void* source, int offset, void* destination, int size);
  void (*set_tagsize)(int* size);
  void (*send)(int pid, const void* tag, const void* payload, int size);
  void (*qsize)(int* messages, int* bytes);
  void (*get_tag)(int* status, void* tag);
  void (*move)(void* payload, int size);
  int (*hpmove)(void** tag, void** payload);

  /* If a library has no such call, the member points to the call named in the comment. */
  void (*hpsend)(int pid, const void* tag, const void* payload, int size); /* send */
  void (*sync_counts)(const int* counts);                                  /* sync */
  void (*sync_neighbours)(int count, const int* pids);                     /* sync */

  /* The members below are NULL if a library has no such call. */
  void (*broadcast)(int root, void* data, int size);
  void (*fold)(void (*op)(void* result, void* left, void* right, int* size), const void* source,
               void* destination, int size);
  void (*total_exchange)(const void* source, void* destination, int size);
  void (*total_exchangev)(const void* source, const int* source_sizes, void* destination,
                          const int* destination_sizes);
  int (*group_split)(int color, int key);
  void (*group_enter)(int group);
  void (*group_leave)(void);
  void (*group_free)(int group);

  /* Memory that others reach directly; bsp_free may be called in the superstep of bsp_pop_reg. NULL
   * for another library, whose rules for them are not known. */
  void* (*alloc)(size_t size);
  void (*free)(void* address);
} bsp_backend_table;

/* Returns the table of the BSPlib that TUTTI_BSP_BACKEND names: tutti, or the path of a shared
 * library with BSPlib's names. Ends the program if there is no such library, or if it is no BSPlib.
 */
TUTTI_API const bsp_backend_table* bsp_backend(void);

#ifdef __cplusplus
}
#endif
#endif
