// SPDX-License-Identifier: BSD-3-Clause
#include "bsp_model/surface.hpp"

#include <algorithm>
#include <iterator>

namespace tutti::tools {
namespace {

// The value at x of the line through two points, which does not fall beyond the second.
double on_line(double x, double x0, double y0, double x1, double y1) {
  if (x1 <= x0) return y1;
  const double slope = (y1 - y0) / (x1 - x0);
  return y1 + (x > x1 ? std::max(slope, 0.0) : slope) * (x - x1);
}

// Calls value(entry) for the two entries around x, or the last two. `y0` is the value at 0, which
// counts where there is no entry below.
template <class Map, class Value>
double between(const Map& map, double x, double y0, const Value& value) {
  auto above = map.lower_bound(x);
  if (above == map.end()) --above;
  if (above == map.begin()) return on_line(x, 0, y0, above->first, value(*above));
  const auto below = std::prev(above);
  return on_line(x, below->first, value(*below), above->first, value(*above));
}

}  // namespace

Surface::Surface(const std::vector<BSPWrapper::BSPSample>& samples, double empty) {
  for (const BSPWrapper::BSPSample& sample : samples)
    rows_[sample.count][sample.size] = std::max(0.0, sample.g * sample.Words() - empty);
}

// A message of less than a word costs what one of a word costs. No messages cost nothing.
double Surface::time(double size, double count) const {
  return between(rows_, count, 0, [size](const auto& row) {
    const Line& line = row.second;
    const double shown = std::max(size, line.begin()->first);
    return between(line, shown, line.begin()->second,
                   [](const auto& point) { return point.second; });
  });
}

}  // namespace tutti::tools
