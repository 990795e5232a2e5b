// SPDX-License-Identifier: BSD-3-Clause
// The rule for processes that share memory.
#pragma once

#include <cstdint>
#include <string_view>

#include "schedule/generator.hpp"

namespace tutti::selection {

struct Advice {
  std::string_view algorithm;  // empty: no advice
  std::string_view reason;
};

[[nodiscard]] Advice rule(schedule::Operation operation, int p, std::int64_t bytes);

}  // namespace tutti::selection
