// SPDX-License-Identifier: BSD-3-Clause
// What cannot be true among measured figures: they are shown as not usable, and why.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "bsp/profile.hpp"
#include "bsp/samples.hpp"

namespace tutti::tools {

constexpr const char* not_usable = "not usable";

// Whether the line of a series is one that start-up and words could give: neither its slope nor its
// intercept is negative.
[[nodiscard]] bool line_is_usable(const Gap& gap);
// Whether an operation is not many times slower at this size than at the sizes beside it.
[[nodiscard]] bool speed_is_usable(const ProbeData& data, std::size_t index);
// A sentence for each thing that cannot be true of a machine, and for others that were at work.
[[nodiscard]] std::vector<std::string> doubts_of(const ProbeData& data);

// The same of a profile: supersteps that took many times what their call site takes.
[[nodiscard]] std::vector<std::string> doubts_of(const std::vector<ProfiledStep>& steps);
// Of a prediction for the machine that was probed, beside what was measured; empty if the two may
// belong together.
[[nodiscard]] std::string doubt_of(double predicted, double measured);

}  // namespace tutti::tools
