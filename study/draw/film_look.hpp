// SPDX-License-Identifier: BSD-3-Clause
// Sizes and styles of the cells of a film as SVG.
#pragma once

#include <string_view>

#include "draw/film.hpp"

namespace tutti::draw {

// Returns how wide a name of letters and digits is at size 1, in DejaVu Sans.
[[nodiscard]] double name_width(std::string_view name);

// Width and height of a cell, the distance of rows, and whether cells have letters.
struct CellLook {
  double w = 30, h = 24, pitch = 36;
  bool letters = true;
};

// Returns true if the film has at most 16 ranks and 16 cells of a rank.
[[nodiscard]] bool few_enough_for_letters(const Film& film);
[[nodiscard]] CellLook look_of(const Film& film, bool letters);

// Returns the class of a cell in the style of svg_pen.cpp.
[[nodiscard]] const char* class_of(State state, bool letters);

}  // namespace tutti::draw
