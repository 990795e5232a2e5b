// SPDX-License-Identifier: BSD-3-Clause
// Draws how far every rank is after each round, for schedules of more ranks than a film shows.
#pragma once

#include <string>

#include "draw/film.hpp"
#include "draw/svg_page.hpp"

namespace tutti::draw {

// Rows are ranks and columns are rounds. The colour says how much of its result a rank has, or what
// it holds before it has any. Lines follow block A from rank to rank.
[[nodiscard]] std::string map_svg(const Film& film, const std::string& title, Fit fit);

}  // namespace tutti::draw
