// SPDX-License-Identifier: BSD-3-Clause
// A film as an SVG picture.
#pragma once

#include <string>

#include "draw/film.hpp"

namespace tutti::draw {

// Ranks are rows, time runs right: strips of cells, and between them arrows with the blocks that
// they carry. With more than 16 ranks or blocks cells have no letters and only the arrows of the
// first block are drawn. At most 1600 x 1200 points, for which rounds are left out, unless `all`
// are asked for.
[[nodiscard]] std::string film_svg(const Film& film, const std::string& title, bool all);

}  // namespace tutti::draw
