// SPDX-License-Identifier: BSD-3-Clause
// The calls that ask for the machine, its clocks and its host.
#pragma once

#include <cstdlib>
#include <numeric>

#include "failure.hpp"
#include "nodes.hpp"
#include "start.hpp"

namespace tutti::nx {

// Both count from the start of the process.
[[nodiscard]] double seconds();
[[nodiscard]] unsigned long milliseconds();
// Writes the ticks of a clock of HWHZ ticks in a second. Throws CallFailure.
void tell_ticks(long* ticks);
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

// Makes a list of the numbers of all nodes, which the program gives back by free().
template <class Integer>
void list_nodes(Integer** list, unsigned long* size) {
  if (list == nullptr || size == nullptr) fail(EFAULT, "argument 'list' or 'size' is NULL");
  const int count = nodes().count();
  *list = static_cast<Integer*>(std::malloc(static_cast<std::size_t>(count) * sizeof(Integer)));
  if (*list == nullptr) fail(ENOMEM, "there is no memory for {} numbers", count);
  std::iota(*list, *list + count, Integer{0});
  *size = static_cast<unsigned long>(count);
}

// Throws CallFailure: the call is one for the host, or for a machine that the program manages.
[[noreturn]] void reject_host_call();

}  // namespace tutti::nx
