/* SPDX-License-Identifier: BSD-3-Clause
 * Definitions of functions that stand before the C library's of the same name and fail when the
 * plan says so. */
#ifndef TUTTI_TESTS_FAULTS_FAILING_H
#define TUTTI_TESTS_FAULTS_FAILING_H
#include <dlfcn.h>
#include <errno.h>

#include "plan.h"

#define KIND(name, ...) kind_##name,
enum {
#include "kinds.def"
  kinds
};
#undef KIND
_Static_assert((int)kinds <= (int)plan_kinds, "the plan has a count for each kind");

#define CALLER __builtin_return_address(0)
/* Declares `real`, the C library's function of this name. */
#define FIND(name)               \
  static __typeof__(&name) real; \
  if (real == NULL) real = (__typeof__(&name))dlsym(RTLD_NEXT, #name)

/* Defines a function that fails with -1 and errno. */
#define FAILING(result, name, kind, descriptor, parameters, arguments) \
  result name parameters {                                             \
    FIND(name);                                                        \
    const int error = plan_error(kind_##kind, CALLER, descriptor);     \
    if (error == 0) return real arguments;                             \
    errno = error;                                                     \
    return (result)-1;                                                 \
  }

/* Defines a function that returns its error number. */
#define RETURNING(name, kind, parameters, arguments)       \
  int name parameters {                                    \
    FIND(name);                                            \
    const int error = plan_error(kind_##kind, CALLER, -1); \
    return error == 0 ? real arguments : error;            \
  }

/* Defines a function that returns a pointer, NULL if it fails. */
#define POINTING(result, name, kind, parameters, arguments) \
  result* name parameters {                                 \
    FIND(name);                                             \
    const int error = plan_error(kind_##kind, CALLER, -1);  \
    if (error == 0) return real arguments;                  \
    errno = error;                                          \
    return NULL;                                            \
  }
#endif
