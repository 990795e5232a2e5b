// SPDX-License-Identifier: BSD-3-Clause
// Whether a job makes sense.
#pragma once

#include "simulate/job.hpp"

namespace tutti::simulate {

// Throws Error(invalid_argument) that names phase and operation.
void check(const Job& job, int nodes);

[[nodiscard]] schedule::Buffers buffers_of(const JobOperation& operation);

}  // namespace tutti::simulate
