// SPDX-License-Identifier: BSD-3-Clause
// Descriptors for front ends and for programs on tutti's interfaces.
#include <tutti/tutti_runtime.h>

#include "base/descriptor.hpp"

extern "C" {

int tutti_raise_descriptor(int descriptor) {
  return tutti::base::raised(descriptor);
}

int tutti_open_in_shared_folder(const char* path, int flags) {
  return tutti::base::open_in_shared_folder(path, flags);
}

void tutti_open_missing_stdio(void) {
  tutti::base::open_missing_stdio();
}

}  // extern "C"
