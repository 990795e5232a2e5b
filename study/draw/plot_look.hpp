// SPDX-License-Identifier: BSD-3-Clause
// Colours, lines and marks of the curves of a plot. Classes are those of the style here.
#pragma once

#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "draw/plot.hpp"

namespace tutti::draw {

extern const std::string_view style_of_plots;

struct CurveLook {
  std::string colour;  // a class
  std::string line;    // classes
  int shape = 0;       // of the marks
};
[[nodiscard]] std::vector<CurveLook> looks_of(std::span<const Curve> curves);

[[nodiscard]] bool has_line(Curve::Kind kind);

// Returns the element of a path that has marks of a curve.
[[nodiscard]] std::string marks_element(const std::string& d, Curve::Kind kind);

// Draws the marks of all curves of a plot. PlotMarks at one place have different sizes, so that
// none hides another.
class PlotMarks {
 public:
  // Returns the mark of a curve at a place as a part of a path, or "" if the curve has none.
  [[nodiscard]] std::string mark(Point at, const CurveLook& look, Curve::Kind kind);
  // Begins the marks of another curve.
  void next();

 private:
  using Cell = std::pair<int, int>;
  // Returns the least size that no earlier curve has taken at this place or beside it.
  [[nodiscard]] int free_size(Cell cell) const;

  std::map<Cell, std::set<int>> earlier_;  // sizes that are taken
  std::vector<std::pair<Cell, int>> own_;
};

}  // namespace tutti::draw
