// SPDX-License-Identifier: BSD-3-Clause
// Settings of the hybrids that depend on the mesh: those that paper 001, section 3.3, has for short
// and for long vectors. The C interface and `tutti explain` read them.
#pragma once

#include <string_view>

#include "schedule/generator.hpp"
#include "selection/policy.hpp"
#include "selection/settings.hpp"

namespace tutti::selection {

// An operation of all ranks of a mesh, which are numbered row by row. A line is one row.
struct MeshPlace {
  schedule::Operation operation{};
  int rows = 1, columns = 1;
};

// Reads settings as parse_settings does. The words "short" and "long" stand for the strategy with
// one factor for the rows and one for the columns, both short or both long.
[[nodiscard]] Settings settings_on_mesh(std::string_view text, const MeshPlace& place);

// Reads an algorithm and its settings as parse_plan does, and these two words.
[[nodiscard]] Forced parse_plan_on_mesh(std::string_view text, const MeshPlace& place);

}  // namespace tutti::selection
