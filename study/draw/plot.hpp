// SPDX-License-Identifier: BSD-3-Clause
// Draws curves and points on two axes, for the command, the documents and the papers. Verbs fill
// in a Plot and take its text as SVG or as a page. Plots decide on colours, ticks, labels and
// legends, and show all curves that lie upon each other.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "draw/axis.hpp"
#include "draw/svg_page.hpp"

namespace tutti::draw {

struct Axes {
  Axis x, y;
};

// The middle half of the measurements at a place of the x axis.
struct Quartiles {
  double x, low, high;
};

// A measured curve has a mark at each point, and a plain one has none. Circles and crosses are
// points without a line. Crosses, fits and computed curves have the colour of the curve before
// them; a fit is a thin line, and a computed curve is dashed. Limits are grey, the first is dotted:
// bounds, and what the bare machine takes. From the eighth on, colours repeat, and the lines have
// dots between their dashes.
struct Curve {
  std::string name;
  std::vector<Point> points;
  enum class Kind { measured, plain, circles, crosses, fit, computed, limit } kind = Kind::measured;
  std::vector<Quartiles> band{};  // drawn as an area below the curve
};

// A place where something changes, such as which curve is the lowest.
struct Crossing {
  Point at;
  std::string words;
};

// Returns the places where another curve becomes the lowest, such as "ring from 3.2 KiB". Limits
// and points without a line do not count.
[[nodiscard]] std::vector<Crossing> crossings_of(std::span<const Curve> curves, const Axes& axes);

struct Plot {
  std::string title;
  Axes axes;
  std::vector<Curve> curves;
  std::vector<Crossing> crossings{};
  // The name of the line on which both axes are equal, if they have the same unit. Such a plot is
  // square, and its axes are equally long.
  std::string diagonal{};
};

// Throws Error(invalid_argument) when there is no point, or one that cannot stand on the axes.
[[nodiscard]] std::string plot_svg(const Plot& plot);
// Returns a page with all plots, below each other.
[[nodiscard]] std::string plots_html(std::span<const Plot> plots, std::string_view title);
// Returns a page if the name of the file ends in .html, else SVG. Throws Error(invalid_argument)
// if SVG would have several plots.
[[nodiscard]] std::string plots_text(std::span<const Plot> plots, std::string_view title,
                                     std::string_view file);

}  // namespace tutti::draw
