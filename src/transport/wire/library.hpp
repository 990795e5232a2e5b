// SPDX-License-Identifier: BSD-3-Clause
// Finds the MPI or PVM that a process belongs to, and loads the library that speaks to it.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "transport/wire/plugin.h"

namespace tutti::transport::wire {

// The findings from TUTTI_TRANSPORT, the launcher's variables and the libraries in this process.
struct JobEnvironment {
  std::string flavour;  // openmpi, mpich, pvmd
  bool asked_for = false;
  int launched_size = 0;  // ranks by the launcher; 0: no launcher of MPI was seen
};

// nullopt: not a process of such a job. Throws Error(bad_environment) when what they say does not
// fit together.
[[nodiscard]] std::optional<JobEnvironment> wanted();

// The MPI whose programs are linked with a library of this file name: openmpi, mpich; empty: no
// MPI's.
[[nodiscard]] std::string flavour_of_library(std::string_view file_name);

// Throws Error(system_error) that says where it was looked for.
[[nodiscard]] const tutti_wire& load(const std::string& flavour);

}  // namespace tutti::transport::wire
