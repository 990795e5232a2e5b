// SPDX-License-Identifier: BSD-3-Clause
// Receives a message from whichever process of the grid has sent one (paper 000, 7.1.2). BLACS 1.0
// do not have this.
#pragma once

#include "arguments.hpp"

namespace tutti::blacs {

// The value of RSRC with which a Fortran program receives from anybody.
constexpr int anybody = -1;

// Receives from anybody and stores where the message came from.
void receive_from_anybody(const Routine& routine, int context, const Matrix& matrix, int* rsrc,
                          int* csrc);
// These two serve the routines that receive from one process. In Fortran RSRC = -1 receives from
// anybody, and the source comes back in RSRC and CSRC. In C nothing can come back, so -1 is
// refused.
void receive_by_reference(const Routine& routine, int context, const Matrix& matrix, int* rsrc,
                          int* csrc);
void receive_by_value(const Routine& routine, int context, const Matrix& matrix, int rsrc,
                      int csrc);

}  // namespace tutti::blacs
