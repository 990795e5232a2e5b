// SPDX-License-Identifier: BSD-3-Clause
// The exhibits of paper 001 share the rates of iCC and of the libraries beside it, and the
// strategies that iCC chooses from.
#pragma once

#include <vector>

#include "machine/profile.hpp"
#include "papers/common/result.hpp"
#include "schedule/generator.hpp"
#include "selection/ranking.hpp"
#include "selection/strategies.hpp"

namespace tutti::papers {

// iCC as its users were told in March 1995. It is not fitted to table 2.
inline constexpr const char* icc_profile = "paragon-512-R1.2";

// Adds the rates of iCC and of the BLACS as parameters.
void add_rates(Result& result, const machine::Profile& profile);

// The strategies with at most one factor for each dimension of a mesh, from which iCC R2.0 seems to
// have chosen.
[[nodiscard]] std::vector<selection::Candidate> one_factor_each(schedule::Operation operation,
                                                                int rows, int columns,
                                                                const machine::Profile& profile);

[[nodiscard]] bool is_short(const selection::Strategy& strategy);
[[nodiscard]] bool is_long(const selection::Strategy& strategy);

}  // namespace tutti::papers
