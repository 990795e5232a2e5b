// SPDX-License-Identifier: BSD-3-Clause
// Draws a film as an SVG picture.
#pragma once

#include <string>

#include "draw/film.hpp"
#include "draw/svg_page.hpp"

namespace tutti::draw {

// Draws ranks as rows and time from left to right: strips of cells, and between them arrows with
// the blocks that they carry. With more than 16 ranks or blocks, cells have no letters and only the
// arrows of the first block are drawn. Equal rounds stand once. If the picture does not fit a
// screen, other rounds are left out too. Fit::full draws all rounds.
[[nodiscard]] std::string film_svg(const Film& film, const std::string& title, Fit fit);

}  // namespace tutti::draw
