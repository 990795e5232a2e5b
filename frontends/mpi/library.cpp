// SPDX-License-Identifier: BSD-3-Clause
// Loads libtutti (library.hpp).
#include "library.hpp"

#include <dlfcn.h>

#include <cstdio>

namespace tutti::mpi {

constinit Library library{};

namespace {

template <class Pointer>
bool look_up(void* file, Pointer& where, const char* name) {
  where = reinterpret_cast<Pointer>(::dlsym(file, name));
  return where != nullptr;
}

}  // namespace

bool load_library() {
  // Most of its functions are never called, so each is bound by its first call.
  void* const file = ::dlopen("libtutti.so.0", RTLD_LAZY);
  bool complete = file != nullptr;
#define TUTTI_LIBRARY_FUNCTION(name) \
  complete = complete && look_up(file, library.name, "tutti_" #name);
#include "library.def"
#undef TUTTI_LIBRARY_FUNCTION
  if (!complete) {
    std::fprintf(stderr, "tutti: the MPI serves all collectives, because %s\n",
                 file == nullptr ? ::dlerror() : "libtutti.so.0 is of another version");
  }
  return complete;
}

}  // namespace tutti::mpi
