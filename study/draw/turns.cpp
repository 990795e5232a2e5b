// SPDX-License-Identifier: BSD-3-Clause
// Walks along each trail in small steps, and sees which other trails pass there.
#include "draw/turns.hpp"

#include <algorithm>
#include <cmath>

namespace tutti::draw {
namespace {

constexpr double step = 1;       // of a walk
constexpr double together = 2;   // trails that are nearer hide each other
constexpr double piece = 9;      // length of a turn
constexpr int least_steps = 14;  // trails that are near for a shorter time only cross

enum class Kind { corner, between };
struct Place {
  Point at;
  Kind kind;
  bool upright;  // the trail is steep here
};

std::vector<Place> walk(const Trail& trail) {
  std::vector<Place> places;
  for (std::size_t i = 0; i + 1 < trail.size(); ++i) {
    const Point to = trail[i + 1] - trail[i];
    const int steps = std::max(1, static_cast<int>(std::ceil(length(to) / step)));
    for (int s = 0; s < steps; ++s)
      places.push_back({trail[i] + (s / double(steps)) * to, s == 0 ? Kind::corner : Kind::between,
                        std::abs(to.y) > std::abs(to.x)});
  }
  if (!trail.empty())
    places.push_back({trail.back(), Kind::corner, !places.empty() && places.back().upright});
  return places;
}

double distance(Point at, Point from, Point to) {
  const Point trail = to - from, here = at - from;
  const double square = trail.x * trail.x + trail.y * trail.y;
  const double part =
      square > 0 ? std::clamp((trail.x * here.x + trail.y * here.y) / square, 0.0, 1.0) : 0;
  return length(here - part * trail);
}

bool is_near(Point at, const Trail& trail) {
  for (std::size_t i = 0; i + 1 < trail.size(); ++i) {
    const auto [left, right] = std::minmax(trail[i].x, trail[i + 1].x);
    if (at.x < left - together || at.x > right + together) continue;
    if (distance(at, trail[i], trail[i + 1]) < together) return true;
  }
  return false;
}

// Returns for each place whether the other trail is there, too. Short meetings do not count.
std::vector<bool> meets(const std::vector<Place>& places, const Trail& other) {
  std::vector<bool> near;
  for (const Place& place : places) near.push_back(is_near(place.at, other));
  for (std::size_t begin = 0; begin < near.size();) {
    std::size_t end = begin;
    while (end < near.size() && near[end] == near[begin]) ++end;
    if (near[begin] && end - begin < least_steps)
      std::fill(near.begin() + static_cast<std::ptrdiff_t>(begin),
                near.begin() + static_cast<std::ptrdiff_t>(end), false);
    begin = end;
  }
  return near;
}

// Returns for each place of a trail whether it is drawn there. The turn goes by the place on the
// page, so that all trails there agree on it.
std::vector<bool> drawn(const std::vector<Place>& places, std::span<const Trail> trails,
                        std::size_t own) {
  std::vector<int> sharing(places.size(), 1), before(places.size(), 0);
  for (std::size_t other = 0; other < trails.size(); ++other) {
    if (other == own) continue;
    const std::vector<bool> near = meets(places, trails[other]);
    for (std::size_t i = 0; i < places.size(); ++i) {
      sharing[i] += near[i] ? 1 : 0;
      before[i] += near[i] && other < own ? 1 : 0;
    }
  }
  std::vector<bool> result;
  for (std::size_t i = 0; i < places.size(); ++i) {
    const double along = places[i].upright ? places[i].at.y : places[i].at.x;
    result.push_back(static_cast<int>(along / piece) % sharing[i] == before[i]);
  }
  return result;
}

std::vector<Trail> pieces_of(const std::vector<Place>& places, const std::vector<bool>& is_drawn) {
  std::vector<Trail> pieces;
  for (std::size_t i = 0; i < places.size(); ++i) {
    if (!is_drawn[i]) continue;
    const bool begins = i == 0 || !is_drawn[i - 1],
               ends = i + 1 == places.size() || !is_drawn[i + 1];
    if (begins) pieces.emplace_back();
    if (begins || ends || places[i].kind == Kind::corner) pieces.back().push_back(places[i].at);
  }
  return pieces;
}

}  // namespace

std::vector<std::vector<Trail>> in_turns(std::span<const Trail> trails) {
  std::vector<std::vector<Trail>> result;
  for (std::size_t i = 0; i < trails.size(); ++i) {
    const std::vector<Place> places = walk(trails[i]);
    result.push_back(pieces_of(places, drawn(places, trails, i)));
  }
  return result;
}

}  // namespace tutti::draw
