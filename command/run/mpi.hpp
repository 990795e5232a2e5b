// SPDX-License-Identifier: BSD-3-Clause
// Finds the MPI that a program needs.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "run/linkage.hpp"

namespace tutti::tools {

// An MPI, and how it was found.
struct FoundMpi {
  std::string flavour;                   // empty if none was found
  std::string how;                       // such as "prog is linked with libmpi.so.40"
  std::function<std::string()> library;  // finds the path of the MPI's library; may be nullptr
  std::string name{};                    // the file name of that library; empty if it is not known
};

// Looks at the libraries of the program, at the package mpi4py if the program is Python, and at the
// launcher. `file` is the program's file, of which `linkage` is known.
[[nodiscard]] FoundMpi mpi_of_program(const std::string& file, const Linkage& linkage);

// Returns why the launcher of this process cannot make one job of the program's processes, and the
// right launcher; an empty text if it can.
[[nodiscard]] std::string wrong_launcher(const FoundMpi& mpi);

}  // namespace tutti::tools
