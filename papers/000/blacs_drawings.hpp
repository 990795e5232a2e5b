// SPDX-License-Identifier: BSD-3-Clause
// Draws processes on a grid, and the calls that processes make (figures 1 and 3 of paper 000).
#pragma once

#include <span>
#include <string>
#include <vector>

#include "schedule/program.hpp"

namespace tutti::papers {

struct Place {
  int number, row, column;  // of a process
};
// Draws each process at its place.
[[nodiscard]] std::string grid_svg(std::span<const Place> places, const std::string& title);

// A heading, and the programs whose sends and receives stand below it.
struct Calls {
  std::string heading;
  std::vector<schedule::Program> programs;
};
// Draws the calls of each process below each other, and an arrow from each send to its receive.
[[nodiscard]] std::string calls_svg(std::span<const Calls> all, const std::string& title);

}  // namespace tutti::papers
