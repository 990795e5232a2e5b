// SPDX-License-Identifier: BSD-3-Clause
// Maps the dimensions of a topology to the two of a page.
#include "draw/places.hpp"

#include <algorithm>
#include <cstddef>

namespace tutti::draw {
namespace {

constexpr double pitch = 64, wide_pitch = 96;

// Dimensions run to the right, downwards and into the page, then to the right and downwards in turn
// with larger steps.
enum class Way { right, down, inwards };
Way way_of(std::size_t dimension) {
  if (dimension == 2) return Way::inwards;
  return (dimension < 2) == (dimension % 2 == 0) ? Way::right : Way::down;
}

}  // namespace

std::vector<Point> places_of(const machine::Topology& topology) {
  const std::vector<int> extents = topology.extents();
  std::vector<Point> places(static_cast<std::size_t>(topology.nodes()));
  Point step = extents.size() > 2 ? Point{wide_pitch, wide_pitch} : Point{pitch, pitch};
  int stride = 1;
  for (std::size_t k = 0; k < extents.size(); ++k) {
    const int extent = extents[extents.size() - 1 - k];
    const Point inwards{0.21 * step.x,
                        -0.167 * step.y};  // slanted, because nodes may not cover each other
    const Way way = way_of(k);
    const Point unit =
        way == Way::right ? Point{step.x, 0} : (way == Way::down ? Point{0, step.y} : inwards);
    for (int node = 0; node < topology.nodes(); ++node)
      places[static_cast<std::size_t>(node)] =
          places[static_cast<std::size_t>(node)] + (node / stride % extent) * unit;
    if (way == Way::right) step.x *= extent;
    if (way == Way::down) step.y *= extent;
    if (way == Way::inwards) step = step + Point{extent * inwards.x, -extent * inwards.y};
    stride *= extent;
  }
  double highest = 0;
  for (const Point place : places) highest = std::min(highest, place.y);
  for (Point& place : places) place.y -= highest;
  return places;
}

double bend_between(Point from, Point to) {
  return length(to - from) > 2 * pitch ? 14 : 0;
}

}  // namespace tutti::draw
