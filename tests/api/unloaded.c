// SPDX-License-Identifier: BSD-3-Clause
// A plug-in's host: it loads a library of tutti, calls what the other arguments name (tutti_init,
// tutti_finalize), unloads the library and ends in good order. The library must still be there
// then, because exit() calls its handlers.
#include <dlfcn.h>
#include <stdio.h>

int main(int argc, char** argv) {
  if (argc < 2) return 2;
  void* library = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
  if (library == NULL) {
    printf("%s\n", dlerror());
    return 1;
  }
  for (int i = 2; i < argc; ++i) {
    int (*call)(void) = NULL;
    *(void**)&call = dlsym(library, argv[i]);
    if (call == NULL || call() != 0) {
      printf("%s failed\n", argv[i]);
      return 1;
    }
  }
  dlclose(library);
  if (dlopen(argv[1], RTLD_NOW | RTLD_LOCAL | RTLD_NOLOAD) == NULL) {
    printf("dlclose has unloaded %s\n", argv[1]);
    fflush(stdout);
  }
  return 0;
}
