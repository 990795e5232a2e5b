// SPDX-License-Identifier: BSD-3-Clause
// The calls that ask for the machine, its clocks and its host.
#pragma once

#include "failure.hpp"
#include "start.hpp"

namespace tutti::nx {

// Both count from the start of the process.
[[nodiscard]] double seconds();
[[nodiscard]] unsigned long milliseconds();
// Moves on what has been started, and lets other processes run. Throws CallFailure.
void give_way();

// The place of a number in the Gray code, and the number at a place.
[[nodiscard]] long gray_of(long number);
[[nodiscard]] long number_of_gray(long code);

// The rows and columns of the mesh of nodes: those of -sz, else one row.
[[nodiscard]] NodeMesh mesh_of_nodes();
template <class Integer>
void tell_mesh(Integer* rows, Integer* columns) {
  if (rows == nullptr || columns == nullptr) fail(EFAULT, "argument 'rows' or 'cols' is NULL");
  const NodeMesh mesh = mesh_of_nodes();
  *rows = mesh.rows;
  *columns = mesh.columns;
}

// Throws CallFailure: the call is one for the host, or for a machine that the program manages.
[[noreturn]] void reject_host_call();

}  // namespace tutti::nx
