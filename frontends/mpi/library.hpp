// SPDX-License-Identifier: BSD-3-Clause
// libtutti, which is loaded only when a process joins a job. So a shell that has this library
// preloaded does not load it.
#pragma once

#include <tutti/tutti.h>
#include <tutti/tutti_runtime.h>

namespace tutti::mpi {

struct Library {
#define TUTTI_LIBRARY_FUNCTION(name) decltype(&tutti_##name) name;
#include "library.def"
#undef TUTTI_LIBRARY_FUNCTION
};
extern constinit Library library;

// Returns false, after one line on stderr, if libtutti cannot be loaded or is of another version.
[[nodiscard]] bool load_library();

}  // namespace tutti::mpi
