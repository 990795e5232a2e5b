// SPDX-License-Identifier: BSD-3-Clause
// The fixed rule for processes that share memory, which choose.cpp asks before the model.
#pragma once

#include <cstdint>
#include <string_view>

#include "schedule/generator.hpp"

namespace tutti::selection {

struct Heuristic {
  std::string_view algorithm;  // empty: the model decides
  std::string_view reason;
};

// Returns the rule's choice for p ranks that have a host of so many processors to themselves.
// `bytes` is the size of the whole vector.
[[nodiscard]] Heuristic heuristic(schedule::Operation operation, int p, std::int64_t bytes,
                                  int processors);

}  // namespace tutti::selection
