// SPDX-License-Identifier: BSD-3-Clause
// Point to point and broadcast of general and trapezoidal matrices, and the barrier; the interfaces
// call them.
#pragma once

#include "arguments.hpp"

namespace tutti::blacs {

void send(const Routine& routine, int context, const Matrix& matrix, int rdest, int cdest);
void receive(const Routine& routine, int context, const Matrix& matrix, int rsrc, int csrc);
void broadcast_send(const Routine& routine, int context, const char* scope, const char* top,
                    const Matrix& matrix);
void broadcast_receive(const Routine& routine, int context, const char* scope, const char* top,
                       const Matrix& matrix, int rsrc, int csrc);

void barrier(const char* routine, int context, const char* scope);

}  // namespace tutti::blacs
