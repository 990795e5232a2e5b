// SPDX-License-Identifier: BSD-3-Clause
// The few shapes that our SVG files are made of.
#pragma once

#include <string>
#include <string_view>

namespace tutti::draw {

struct Point {
  double x = 0;
  double y = 0;
  friend Point operator+(Point a, Point b) { return {a.x + b.x, a.y + b.y}; }
  friend Point operator-(Point a, Point b) { return {a.x - b.x, a.y - b.y}; }
  friend Point operator*(double s, Point a) { return {s * a.x, s * a.y}; }
};
[[nodiscard]] double length(Point a);

enum class Anchor { start, middle };
enum class Head { none, arrow };

// With entities for the signs that XML keeps for itself.
[[nodiscard]] std::string escaped(std::string_view text);

// Collects shapes; the page grows to hold what is put on it.
class SvgPage {
 public:
  void text(Point at, std::string_view text, Anchor anchor, std::string_view colour = "black");
  void circle(Point at, double radius, std::string_view fill);
  void rectangle(Point corner, Point size, std::string_view fill);
  // Bent by `bend` to the left of its direction.
  void line(Point from, Point to, double bend, std::string_view colour, double width, Head head);

  // Any shape that reaches as far as a point.
  void add(std::string_view shape, Point reaches = {});

  [[nodiscard]] Point size() const { return size_; }
  [[nodiscard]] std::string finish(std::string_view title) const;

 private:
  void reach(Point at);

  std::string shapes_;
  Point size_;
};

}  // namespace tutti::draw
