// SPDX-License-Identifier: BSD-3-Clause
// Rows of the tuning table that depend on the processor. Makers differ in how lines move between
// their caches, so a way that is fast on one is slow on another. These values are where a job
// begins that has no profile of its machine (docs/internals/long-vectors.md).
#pragma once

#include <cstdint>

#include "base/tuning.hpp"

namespace tutti::base {

enum class Maker : std::uint8_t { other, intel, amd };

struct Processor {
  Maker maker = Maker::other;
  std::int64_t second_level = 0;  // bytes of the second-level cache of a core; 0: not known
};

// The processor that this process runs on.
[[nodiscard]] Processor this_processor();

// Sets the rows that suit the processor.
void suit(TuningSettings& settings, const Processor& processor);

}  // namespace tutti::base
