// SPDX-License-Identifier: BSD-3-Clause
// Counts the processors of this host.
#include "machine/processors.hpp"

#include <unistd.h>

#include <algorithm>

namespace tutti::machine {

int processors_online() {
  static const long online = sysconf(_SC_NPROCESSORS_ONLN);
  return static_cast<int>(std::max(online, 1L));
}

}  // namespace tutti::machine
