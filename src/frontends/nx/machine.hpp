// SPDX-License-Identifier: BSD-3-Clause
// The calls that ask for the machine, its clocks and its host.
#pragma once

namespace tutti::nx {

// Both count from the start of the process.
[[nodiscard]] double seconds();
[[nodiscard]] unsigned long milliseconds();
// Lets other processes run.
void give_way();

// The place of a number in the Gray code, and the number at a place.
[[nodiscard]] long gray_of(long number);
[[nodiscard]] long number_of_gray(long code);

// Gives the rows and columns of the mesh of nodes: those of -sz, else one row.
void mesh_of_nodes(long* rows, long* columns);

// Throws CallFailure: the call is one for the host, or for a machine that the program manages.
[[noreturn]] void reject_host_call();

}  // namespace tutti::nx
