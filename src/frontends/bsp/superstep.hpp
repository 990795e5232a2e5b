// SPDX-License-Identifier: BSD-3-Clause
// The end of a superstep.
#pragma once

#include "agreement.hpp"

namespace tutti::bsp {

// Gets read, gets write, puts write; then messages, registrations and tag size are those of the next superstep.
void end_superstep(const char* routine, Ending ending);

}  // namespace tutti::bsp
