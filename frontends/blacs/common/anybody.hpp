// SPDX-License-Identifier: BSD-3-Clause
// Receives a message from whichever process of the grid has sent one (paper 000, 7.1.2).
#pragma once

#include "arguments.hpp"

namespace tutti::blacs {

// The value of RSRC that asks for a message from anybody.
constexpr int anybody = -1;

// Receives from anybody and stores where the message came from.
void receive_from_anybody(const Routine& routine, int context, const Matrix& matrix, int* rsrc,
                          int* csrc);
// Serves the routines that receive from one process, where arguments are references. With RSRC =
// -1 they receive from anybody.
void receive_by_reference(const Routine& routine, int context, const Matrix& matrix, int* rsrc,
                          int* csrc);

}  // namespace tutti::blacs
