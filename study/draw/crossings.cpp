// SPDX-License-Identifier: BSD-3-Clause
// Finds where another curve becomes the lowest. Curves are straight between their points, as they
// are drawn.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <set>

#include "draw/plot.hpp"

namespace tutti::draw {
namespace {

// Returns the number as it stands on an axis.
double on(const Axis& axis, double value) {
  return axis.scale == Scale::logarithmic ? std::log(value) : value;
}

double off(const Axis& axis, double value) {
  return axis.scale == Scale::logarithmic ? std::exp(value) : value;
}

// Returns the height of a curve at a place of the x axis, both as they stand on the axes.
std::optional<double> height(const Curve& curve, const Axes& axes, double x) {
  for (std::size_t i = 0; i + 1 < curve.points.size(); ++i) {
    const double left = on(axes.x, curve.points[i].x), right = on(axes.x, curve.points[i + 1].x);
    if (x < left || x > right || left >= right) continue;
    const double part = (x - left) / (right - left);
    return (1 - part) * on(axes.y, curve.points[i].y) + part * on(axes.y, curve.points[i + 1].y);
  }
  return std::nullopt;
}

bool counts(const Curve& curve) {
  return curve.kind == Curve::Kind::measured || curve.kind == Curve::Kind::plain;
}

// Returns the lowest curve at a place; `now` unless another one is lower.
const Curve* lowest(std::span<const Curve> curves, const Axes& axes, double x, const Curve* now) {
  constexpr double equal = 1e-9;
  constexpr double nothing = std::numeric_limits<double>::infinity();
  double best = now != nullptr ? height(*now, axes, x).value_or(nothing) : nothing;
  const Curve* found = best < nothing ? now : nullptr;
  for (const Curve& curve : curves) {
    const double here = counts(curve) ? height(curve, axes, x).value_or(nothing) : nothing;
    if (here < best - equal) best = here, found = &curve;
  }
  return found;
}

// A number of ranks is whole: from the next one on, the curve is the lowest.
std::string place_text(const Axis& axis, double x) {
  constexpr double tiny = 1e-6;
  return label_of(axis.unit == Unit::ranks ? std::ceil(x - tiny) : x, axis.unit);
}

// Returns the place between two others at which the lowest curve changes.
double change(std::span<const Curve> curves, const Axes& axes, double from, double to,
              const Curve* before) {
  for (int halving = 0; halving < 40; ++halving) {
    const double middle = (from + to) / 2;
    (lowest(curves, axes, middle, before) == before ? from : to) = middle;
  }
  return to;
}

}  // namespace

std::vector<Crossing> crossings_of(std::span<const Curve> curves, const Axes& axes) {
  std::set<double> places;
  for (const Curve& curve : curves)
    for (const Point& point : curve.points)
      if (counts(curve)) places.insert(on(axes.x, point.x));
  std::vector<Crossing> crossings;
  const Curve* now = nullptr;
  double last = 0;
  for (const double x : places) {
    // Several curves may become the lowest one after the other between two places.
    while (now != nullptr && height(*now, axes, x) && lowest(curves, axes, x, now) != now) {
      last = change(curves, axes, last, x, now);
      const Curve* next = lowest(curves, axes, last, now);
      if (next == nullptr || next == now) break;
      now = next;
      // Curves that begin at one place do not cross there.
      if (last - *places.begin() < 1e-6 * (*places.rbegin() - *places.begin())) continue;
      const Point at{off(axes.x, last), off(axes.y, *height(*next, axes, last))};
      crossings.push_back({at, fmt::format("{} from {}", next->name, place_text(axes.x, at.x))});
    }
    if (now == nullptr || lowest(curves, axes, x, now) != now)
      now = lowest(curves, axes, x, nullptr);
    last = x;
  }
  return crossings;
}

}  // namespace tutti::draw
