/* SPDX-License-Identifier: BSD-3-Clause */
/* A program without MPI. It opens a library, in which a program of MPI is, for itself alone, as
 * Python opens its modules. */
#include <dlfcn.h>
#include <stdio.h>

int main(int argc, char** argv) {
  void* const library = argc > 1 ? dlopen(argv[1], RTLD_NOW | RTLD_LOCAL) : NULL;
  void (*run)(void) = NULL;
  if (library != NULL) *(void**)&run = dlsym(library, "run");
  if (run == NULL) {
    fprintf(stderr, "%s\n", dlerror());
    return 1;
  }
  run();
  return 0;
}
