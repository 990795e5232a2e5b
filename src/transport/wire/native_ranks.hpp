// SPDX-License-Identifier: BSD-3-Clause
// Ranks for which an MPI runs its own collectives. The engine's native plans use this.
#pragma once

#include "transport/wire/plugin.h"

namespace tutti::transport::wire {

class WireJob;

// A group of WireJob::make_group(), or with 0 all ranks of the job. Without a job there is no MPI.
struct NativeRanks {
  const WireJob* job = nullptr;
  tutti_wire_token group = 0;
};

}  // namespace tutti::transport::wire
