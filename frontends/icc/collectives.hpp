// SPDX-License-Identifier: BSD-3-Clause
// One call of a collective of tutti, by the algorithm that the engine chooses or that TUTTI_ICC
// forces. Both interfaces and both languages come here.
#pragma once

#include <cstdint>

#include "state.hpp"

namespace tutti::icc {

struct Collective {
  tutti_operation operation{};
  const tutti_data* input = nullptr;
  const tutti_data* output = nullptr;
  tutti_op op{0};
  int root = 0;
  const std::int64_t* counts = nullptr;  // elements of each rank, which all ranks know
  std::int64_t bytes = 0;                // of the whole vector
};

[[nodiscard]] tutti_status run(const Communicator& communicator, const Collective& call);
// Runs the call by one algorithm; NULL leaves it to the engine.
[[nodiscard]] tutti_status run_plan(const Communicator& communicator, const Collective& call,
                                    const char* algorithm);

}  // namespace tutti::icc
