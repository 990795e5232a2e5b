// SPDX-License-Identifier: BSD-3-Clause
// Finds measured figures that cannot be true. `tutti probe` and `tutti predict` show them as not
// usable, with the reason.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "bsp/profile.hpp"
#include "bsp/samples.hpp"

namespace tutti::tools {

constexpr const char* not_usable = "not usable";

// Returns true if neither slope nor intercept of the line through a series is negative, as start-up
// and time per word require.
[[nodiscard]] bool line_is_usable(const Gap& gap);
// Returns false if an operation is many times slower at this size than at the sizes beside it.
[[nodiscard]] bool speed_is_usable(const ProbeData& data, std::size_t index);
// Returns a sentence for each figure that cannot be true of a machine, and one if other processes
// were at work.
[[nodiscard]] std::vector<std::string> doubts_of(const ProbeData& data);

// Returns a sentence for supersteps that took many times as long as others of their call site.
[[nodiscard]] std::vector<std::string> doubts_of(const std::vector<ProfiledStep>& steps);
// Compares a prediction for the probed machine with a measurement. Returns the reason to doubt
// them, or an empty text if the two may belong together.
[[nodiscard]] std::string doubt_of(double predicted, double measured);

}  // namespace tutti::tools
