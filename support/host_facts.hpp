// SPDX-License-Identifier: BSD-3-Clause
// Facts about this machine that are printed beside every measurement.
#pragma once

#include <string>

namespace tutti::tools {

struct HostFacts {
  std::string processor;  // name that the system gives
  int processors = 0;     // number that a job may use
  std::string system;     // kernel and its release
  std::string compiler;   // compiler that built this command
  std::string date;       // today's date in UTC, such as 2026-11-21
};
[[nodiscard]] HostFacts host_facts();

}  // namespace tutti::tools
