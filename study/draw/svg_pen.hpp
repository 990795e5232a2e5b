// SPDX-License-Identifier: BSD-3-Clause
// Puts the marks of films on a page: styled paths and texts, arrows, signs.
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "draw/svg_page.hpp"

namespace tutti::draw {

// A bold arrow is one to follow; a message that is missing is dashed.
enum class ArrowKind { usual, bold, wrong, missing };

struct DrawnArrow {
  Point from, to;
  ArrowKind kind = ArrowKind::usual;
};

enum class Ink { black, white };

// `kind` is a class of the style in svg_pen.cpp.
class SvgPen {
 public:
  // The picture has the style of films, the page that it stands on has it, or the picture has the
  // style of plots.
  enum class Style { own, of_page, of_plots };
  explicit SvgPen(double width, Style style = Style::own);
  // Returns the style and what its marks refer to, as shapes of a picture.
  [[nodiscard]] static std::string_view style();

  void text(Point at, std::string_view kind, std::string_view words);
  void letter(Point at, double size, Ink ink, std::string_view words);
  void path(std::string_view kind, const std::string& d);
  void arrow(const DrawnArrow& arrow);
  void plus(Point at);  // marks a receiver that adds
  void shape(std::string_view element) { page_.add(element); }
  void reach(Point at) { page_.add("", at); }

  // Returns the picture and its size.
  [[nodiscard]] std::pair<std::string, Point> finish(std::string_view title, Fit fit,
                                                     std::string_view description = "") const {
    return {page_.finish(title, fit, description), page_.size()};
  }

 private:
  SvgPage page_;
};

[[nodiscard]] std::string box(Point at, double w, double h);

}  // namespace tutti::draw
