// SPDX-License-Identifier: BSD-3-Clause
// Writes out the strategies of paper 001, section 3.3.
#include "selection/mesh_plan.hpp"

#include <algorithm>
#include <utility>

#include "algorithms/registry.hpp"
#include "selection/strategies.hpp"

namespace tutti::selection {
namespace {

using schedule::Operation;

// Returns true if the factor of the rows comes first. Trees that move whole vectors take the short
// factors backwards (algorithms/hybrid.cpp), and the paper broadcasts in the root's column first.
// It gathers, scatters and cuts long vectors with the rows first in this order, too.
bool rows_first(Operation operation, bool is_short) {
  return !is_short || operation == Operation::scatter || operation == Operation::gather ||
         operation == Operation::allgather;
}

Settings one_factor_each(const MeshPlace& place, bool is_short) {
  Factor first{place.rows, 1}, second{place.columns, 0};
  if (!rows_first(place.operation, is_short)) std::swap(first, second);
  Strategy strategy;
  for (const Factor& factor : {first, second})
    if (factor.size > 1) strategy.factors.push_back(factor);
  Settings settings;
  settings.factors = strategy.shape_factors();
  settings.cut = is_short ? 0 : static_cast<int>(settings.factors.size());
  return settings;
}

}  // namespace

Settings settings_on_mesh(std::string_view text, const MeshPlace& place) {
  if (text == "short" || text == "long") return one_factor_each(place, text == "short");
  return parse_settings(text);
}

Forced parse_plan_on_mesh(std::string_view text, const MeshPlace& place) {
  Forced plan = parse_plan(place.operation, algorithms::name_in(text));
  plan.settings = settings_on_mesh(algorithms::settings_in(text), place);
  return plan;
}

}  // namespace tutti::selection
