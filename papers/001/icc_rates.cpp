// SPDX-License-Identifier: BSD-3-Clause
#include "papers/001/icc_rates.hpp"

#include <fmt/format.h>

#include "papers/common/simulated.hpp"

namespace tutti::papers {

void add_rates(Result& result, const machine::Profile& profile) {
  result.parameters.push_back(parameter_of(profile.name + " alpha", profile.alpha));
  result.parameters.push_back(parameter_of(profile.name + " beta", profile.beta));
  result.parameters.push_back(parameter_of(profile.name + " gamma", profile.gamma));
  for (const char* name : {"blacs_alpha", "blacs_beta", "blacs_gamma"})
    result.parameters.push_back(
        parameter_of(fmt::format("{} {}", profile.name, name), profile.more.at(name)));
}

std::vector<selection::Candidate> one_factor_each(schedule::Operation operation, int rows,
                                                  int columns, const machine::Profile& profile) {
  auto strategies = selection::strategies(rows, columns, 1);
  // A dimension could have several factors of 2.
  std::erase_if(strategies, [](const selection::Strategy& s) { return s.factors.size() > 2; });
  return selection::candidates(operation, strategies, profile.kappa.value);
}

bool is_short(const selection::Strategy& strategy) {
  return strategy.cut == 0;
}

bool is_long(const selection::Strategy& strategy) {
  return static_cast<std::size_t>(strategy.cut) == strategy.factors.size();
}

}  // namespace tutti::papers
