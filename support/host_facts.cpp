// SPDX-License-Identifier: BSD-3-Clause
// Reads facts about this machine from /proc, uname and the clock.
#include "support/host_facts.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <sys/utsname.h>

#include <ctime>

#include "base/processors.hpp"

namespace tutti::tools {
HostFacts host_facts() {
  utsname names{};
  // Failure is harmless: the names then stay empty.
  (void)uname(&names);
  return {base::processor_name(), static_cast<int>(base::usable_cpus()),
          fmt::format("{} {} {}", names.sysname, names.release, names.machine),
          fmt::format("{} {}", TUTTI_COMPILER, __VERSION__),
          fmt::format("{:%Y-%m-%d}", fmt::gmtime(std::time(nullptr)))};
}

}  // namespace tutti::tools
