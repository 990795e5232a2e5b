// SPDX-License-Identifier: BSD-3-Clause
// Finds the MPI or the PVM that a process belongs to and loads tutti's library for it. WireJob uses
// it, and `tutti run` for preloading.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "transport/wire/plugin.h"

namespace tutti::transport::wire {

// The kind of job that TUTTI_TRANSPORT, the launcher's variables and the libraries in this process
// ask for.
struct JobEnvironment {
  std::string flavour;  // openmpi, mpich, abi (the standard interface of MPI 5), pvmd
  bool asked_for = false;
  int launched_size = 0;  // ranks that the launcher has started; 0: no launcher of MPI was seen
};

// Returns nullopt when this process belongs to no such job. Throws Error(bad_environment) when the
// sources contradict each other.
[[nodiscard]] std::optional<JobEnvironment> wanted();

// Returns the MPI (openmpi, mpich, abi) whose programs are linked with a library of this file name,
// or an empty string.
[[nodiscard]] std::string flavour_of_library(std::string_view file_name);

// Makes the functions of that MPI (openmpi, mpich, abi) visible in the whole process: those of the
// library that the process has loaded, else of one that is loaded here. Throws Error if the process
// has another MPI, or if no library is found.
void provide_mpi(const std::string& flavour);

// Loads tutti's library of that name. Throws Error(system_error) that says where it was looked for.
const tutti_wire& load(const std::string& flavour);
// Does so for the MPI that has started this process, if one has.
void load_wanted();

}  // namespace tutti::transport::wire
