// SPDX-License-Identifier: BSD-3-Clause
// The few shapes that SVG files of this folder are made of.
#pragma once

#include <set>
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
// A picture that fits a screen is shown in at most 1600 x 1200 points: a larger one is made smaller
// and can be enlarged by its viewer.
enum class Fit { screen, full };
constexpr Point screen{1600, 1200};

// The letters of all pictures, with what to take where they are missing.
constexpr std::string_view letters_of_pictures = "DejaVu Sans,Verdana,Helvetica,sans-serif";
// Returns how wide these letters are at a size, in points.
[[nodiscard]] double text_width(std::string_view text, double size);

// Returns the text with entities for the signs that XML keeps for itself.
[[nodiscard]] std::string escaped(std::string_view text);

// Collects shapes. The page grows with the shapes that are put on it.
class SvgPage {
 public:
  // The style says how the shapes look where the reader prefers light or dark pages.
  SvgPage();
  explicit SvgPage(std::string_view style) : style_(style) {}

  void text(Point at, std::string_view text, Anchor anchor, std::string_view colour = "black");
  void circle(Point at, double radius, std::string_view fill, std::string_view stroke = "black");
  void rectangle(Point corner, Point size, std::string_view fill);
  // The line is bent by `bend` to the left of its direction.
  void line(Point from, Point to, double bend, std::string_view colour, double width, Head head);

  // Adds any shape. `reaches` is its lower right corner.
  void add(std::string_view shape, Point reaches = {});

  [[nodiscard]] Point size() const { return size_; }
  // The description is for readers who do not see the picture.
  [[nodiscard]] std::string finish(std::string_view title, Fit fit = Fit::screen,
                                   std::string_view description = "") const;

 private:
  void reach(Point at);
  std::string heads() const;

  std::string style_;
  std::string shapes_;
  std::set<std::string> head_colours_;  // colours of lines that have an arrowhead
  Point size_;
};

}  // namespace tutti::draw
