// SPDX-License-Identifier: BSD-3-Clause
// Which algorithm serves an operation when the caller names none. A pure function of what is equal on all ranks: were
// it anything else, ranks would choose differently and wait for each other for ever.
#pragma once

#include <cstdint>
#include <string_view>

#include "schedule/generator.hpp"

namespace tutti::selection {

struct Choice {
  std::string_view algorithm;
  std::string_view reason;  // one clause, for explanations
};

// `bytes`: of the whole vector. `commutative`: whether operands may change places.
[[nodiscard]] Choice choose(schedule::Operation operation, int p, std::int64_t bytes, bool commutative);

}  // namespace tutti::selection
