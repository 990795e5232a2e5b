// SPDX-License-Identifier: BSD-3-Clause
// Draws legends of plots.
#include "draw/plot_legend.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <sstream>

namespace tutti::draw {
namespace {

constexpr double left = 16, right = 708, row = 19, sample = 30, gap = 8, letters = 12;

struct Entry {
  std::string name, shapes, colour;  // shapes begin at the place of the entry
};

std::string sample_of(const Curve& curve, const CurveLook& look) {
  std::string shapes;
  if (!curve.band.empty()) shapes += "<path class=\"band\" d=\"M0-6h30v12h-30z\"/>\n";
  if (has_line(curve.kind))
    shapes += fmt::format("<path class=\"{}\" d=\"M0 0h30\"/>\n", look.line);
  PlotMarks marks;
  std::string all;
  for (const double x : has_line(curve.kind) ? std::vector{15.0} : std::vector{5.0, 15.0, 25.0})
    all += marks.mark({x, 0}, look, curve.kind);
  return shapes + (all.empty() ? "" : marks_element(all, curve.kind));
}

std::vector<Entry> entries_of(const Plot& plot, std::span<const CurveLook> looks) {
  std::vector<Entry> entries;
  for (std::size_t i = 0; i < plot.curves.size(); ++i)
    entries.push_back({plot.curves[i].name, sample_of(plot.curves[i], looks[i]), looks[i].colour});
  if (!plot.diagonal.empty())
    entries.push_back({plot.diagonal, "<path class=\"equal\" d=\"M0 0h30\"/>\n", "grey"});
  return entries;
}

}  // namespace

double draw_legend(SvgPen& pen, double y, const Plot& plot, std::span<const CurveLook> looks) {
  const std::vector<Entry> entries = entries_of(plot, looks);
  double widest = 0;
  for (const Entry& entry : entries) widest = std::max(widest, text_width(entry.name, letters));
  const double wanted = sample + 2 * gap + widest + 12;
  const auto columns =
      static_cast<std::size_t>(std::clamp(std::floor((right - left) / wanted), 1.0, 4.0));
  const double wide = (right - left) / static_cast<double>(columns);
  const std::size_t rows = (entries.size() + columns - 1) / columns;
  double end = y;
  for (std::size_t column = 0; column * rows < entries.size(); ++column) {
    double here = y;
    const std::size_t last = std::min(entries.size(), (column + 1) * rows);
    for (std::size_t i = column * rows; i < last; ++i) {
      const Point at{left + wide * static_cast<double>(column), here};
      pen.shape(fmt::format("<g class=\"{}\" transform=\"translate({:.1f} {:.1f})\">\n{}</g>\n",
                            entries[i].colour, at.x, at.y - 4, entries[i].shapes));
      for (const std::string& line : lines_within(entries[i].name, letters, wide - sample - gap)) {
        pen.text({at.x + sample + gap, here}, "k", line);
        here += row;
      }
    }
    end = std::max(end, here);
  }
  return end - row;
}

std::vector<std::string> lines_within(const std::string& text, double size, double most) {
  std::vector<std::string> lines{""};
  std::istringstream words(text);
  for (std::string word; words >> word;) {
    const std::string longer = lines.back() + (lines.back().empty() ? "" : " ") + word;
    if (lines.back().empty() || text_width(longer, size) <= most)
      lines.back() = longer;
    else
      lines.push_back(word);
  }
  return lines;
}

}  // namespace tutti::draw
