// SPDX-License-Identifier: BSD-3-Clause
// What has to stand beside a measurement.
#pragma once

#include <string>

namespace tutti::tools {

struct HostFacts {
  std::string processor;  // its name as the system gives it
  int processors = 0;     // that a job may use
  std::string system;     // kernel and its release
  std::string compiler;   // that built this command
  std::string date;       // today, UTC: 2026-11-21
};
[[nodiscard]] HostFacts host_facts();

}  // namespace tutti::tools
