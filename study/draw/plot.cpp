// SPDX-License-Identifier: BSD-3-Clause
// Draws curves on axes: title, name of the vertical axis, words of crossings, the frame with its
// curves, the name of the horizontal axis, and the legend, from top to bottom.
#include "draw/plot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/error.hpp"
#include "draw/flags.hpp"
#include "draw/plot_legend.hpp"
#include "draw/turns.hpp"

namespace tutti::draw {
namespace {

// At the width of a page, 720, letters have at least 11 points.
constexpr double page_width = 720, margin = 12, right = 34, letters = 12, title_letters = 16;
constexpr double bold = 1.16;  // bold letters are wider
constexpr int most_labels_beside = 8, most_labels_below = 8;
constexpr double flag_height = 16;

class Sheet {
 public:
  explicit Sheet(const Plot& plot)
      : plot_(plot),
        x_(plot.axes.x, most_labels_below),
        y_(plot.axes.y, most_labels_beside),
        looks_(looks_of(plot.curves)) {
    for (const Curve& curve : plot.curves) include(curve);
    if (x_.empty()) base::fail(base::Status::invalid_argument, "there is nothing to draw");
    if (!plot.diagonal.empty()) {
      x_.widen();
      x_.share_with(y_);
    }
    y_.widen();
    if (!plot.diagonal.empty()) y_.share_with(x_);
    double labels = 0;
    for (const Tick& tick : y_.ticks()) labels = std::max(labels, text_width(tick.label, letters));
    left_ = margin + labels + 10;
    width_ = page_width - left_ - right;
    if (!plot.diagonal.empty()) width_ = height_ = 440;
  }

  std::string draw() {
    pen_.shape("<g class=\"plot\">\n");
    double y = margin + title_letters;
    for (const std::string& line :
         lines_within(plot_.title, title_letters * bold, page_width - 2 * margin)) {
      pen_.text({margin, y}, "t", line);
      y += 21;
    }
    pen_.text({margin, y + 2}, "k", plot_.axes.y.name);
    const std::vector<Flag> flags = flags_of();
    top_ = y + 12 + flag_height * rows_of(flags);
    axes();
    for (const Flag& flag : flags) draw(flag);
    curves();
    crossings();
    const double end = draw_legend(pen_, top_ + height_ + 62, plot_, looks_);
    pen_.shape("</g>\n");
    pen_.reach({page_width - 12, end});
    return pen_.finish(plot_.title, Fit::full, description()).first;
  }

 private:
  void include(const Curve& curve) {
    for (const Point& point : curve.points) {
      x_.include(point.x);
      y_.include(point.y);
    }
    for (const Quartiles& part : curve.band)
      for (const double end : {part.low, part.high}) y_.include(end);
  }

  [[nodiscard]] Point place(Point point) const {
    return {left_ + x_.place(point.x) * width_, top_ + (1 - y_.place(point.y)) * height_};
  }

  [[nodiscard]] std::vector<Flag> flags_of() const {
    std::vector<Flag> flags;
    for (const Crossing& crossing : plot_.crossings)
      flags.push_back({left_ + x_.place(crossing.at.x) * width_, crossing.words});
    return set_up(std::move(flags), letters, page_width - margin);
  }

  // Ticks are drawn on all sides of the frame, inwards.
  void axes() {
    std::string grid, marks;
    const double bottom = top_ + height_;
    for (const Tick& tick : x_.ticks()) {
      const double x = left_ + x_.place(tick.value) * width_;
      const bool main = !tick.label.empty();
      if (main) grid += fmt::format("M{:.1f} {:.1f}v{:.1f}", x, top_, height_);
      marks +=
          fmt::format("M{0:.1f} {1:.1f}v-{2}M{0:.1f} {3:.1f}v{2}", x, bottom, main ? 6 : 3, top_);
      pen_.text({x, bottom + 17}, "k m", tick.label);
    }
    for (const Tick& tick : y_.ticks()) {
      const double y = top_ + (1 - y_.place(tick.value)) * height_;
      const bool main = !tick.label.empty();
      if (main) grid += fmt::format("M{:.1f} {:.1f}h{:.1f}", left_, y, width_);
      marks += fmt::format("M{1:.1f} {0:.1f}h{2}M{3:.1f} {0:.1f}h-{2}", y, left_, main ? 6 : 3,
                           left_ + width_);
      pen_.text({left_ - 7, y + 4}, "k e", tick.label);
    }
    pen_.path("grid", grid);
    pen_.path("tick", marks);
    pen_.path("frame", fmt::format("M{:.1f} {:.1f}h{:.1f}v{:.1f}h-{:.1f}z", left_, top_, width_,
                                   height_, width_));
    pen_.text({left_ + width_ / 2, bottom + 38}, "k m", plot_.axes.x.name);
    if (!plot_.diagonal.empty())
      pen_.path("equal",
                fmt::format("M{:.1f} {:.1f}L{:.1f} {:.1f}", left_, bottom, left_ + width_, top_));
  }

  void draw(const Flag& flag) {
    const double y = top_ - 5 - flag_height * flag.row;
    pen_.path("at", fmt::format("M{:.1f} {:.1f}V{:.1f}", flag.x, y - 9, top_ + height_));
    pen_.text({flag.to_the_left ? flag.x - 5 : flag.x + 5, y}, flag.to_the_left ? "k e" : "k",
              flag.words);
  }

  // Areas lie below all, then points without a line, then lines, then the marks of lines.
  void curves() {
    for (std::size_t i = 0; i < looks_.size(); ++i) band(plot_.curves[i], looks_[i]);
    marks([](Curve::Kind kind) { return !has_line(kind); });
    lines();
    marks(has_line);
  }

  void lines() {
    std::vector<Trail> trails;
    for (const Curve& curve : plot_.curves) {
      Trail trail;
      if (has_line(curve.kind))
        for (const Point& point : curve.points) trail.push_back(place(point));
      trails.push_back(std::move(trail));
    }
    const std::vector<std::vector<Trail>> pieces = in_turns(trails);
    for (std::size_t i = 0; i < trails.size(); ++i) {
      std::string d;
      for (const Trail& piece : pieces[i])
        for (std::size_t corner = 0; corner < piece.size(); ++corner)
          d += fmt::format("{}{:.1f} {:.1f}", corner == 0 ? "M" : "L", piece[corner].x,
                           piece[corner].y);
      if (d.empty()) continue;
      group(plot_.curves[i], looks_[i],
            fmt::format("<path class=\"{}\" d=\"{}\"/>\n", looks_[i].line, d));
    }
  }

  template <class Wanted>
  void marks(Wanted wanted) {
    PlotMarks drawn;
    for (std::size_t i = 0; i < looks_.size(); ++i) {
      const Curve& curve = plot_.curves[i];
      std::string all;
      if (wanted(curve.kind))
        for (const Point& point : curve.points)
          all += drawn.mark(place(point), looks_[i], curve.kind);
      drawn.next();
      if (!all.empty()) group(curve, looks_[i], marks_element(all, curve.kind));
    }
  }

  // A viewer shows the name of the curve below the pointer.
  void group(const Curve& curve, const CurveLook& look, const std::string& shapes) {
    pen_.shape(fmt::format("<g class=\"{}\"><title>{}</title>\n{}</g>\n", look.colour,
                           escaped(curve.name), shapes));
  }

  void band(const Curve& curve, const CurveLook& look) {
    if (curve.band.empty()) return;
    std::string upper, lower;
    for (const Quartiles& part : curve.band) {
      const Point high = place({part.x, part.high}), low = place({part.x, part.low});
      upper += fmt::format("{}{:.1f} {:.1f}", upper.empty() ? "M" : "L", high.x, high.y);
      lower = fmt::format("L{:.1f} {:.1f}", low.x, low.y) + lower;
    }
    group(curve, look, fmt::format("<path class=\"band\" d=\"{}{}z\"/>\n", upper, lower));
  }

  void crossings() {
    for (const Crossing& crossing : plot_.crossings) {
      const Point at = place(crossing.at);
      pen_.path("ring",
                fmt::format("M{:.1f} {:.1f}a5 5 0 1 0 10 0a5 5 0 1 0-10 0", at.x - 5, at.y));
    }
  }

  [[nodiscard]] std::string description() const {
    std::string text = fmt::format("{} over {}. Curves: ", plot_.axes.y.name, plot_.axes.x.name);
    for (std::size_t i = 0; i < plot_.curves.size(); ++i)
      text += (i == 0 ? "" : "; ") + plot_.curves[i].name;
    text += ".";
    for (const Crossing& crossing : plot_.crossings) text += " Lowest: " + crossing.words + ".";
    return text;
  }

  const Plot& plot_;
  Ruler x_, y_;
  std::vector<CurveLook> looks_;
  SvgPen pen_{page_width - 12, SvgPen::Style::of_plots};
  double left_ = 0, top_ = 0, width_ = 0, height_ = 330;
};

constexpr std::string_view head_of_page = R"(<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>{0}</title><style>
:root{{color-scheme:light dark}}
body{{font:15px {1};margin:1.5em auto;max-width:60em;padding:0 1em}}
svg{{display:block;width:100%;max-width:60em;height:auto;margin-bottom:2em}}
@media(prefers-color-scheme:dark){{body{{background:#16181c;color:#ddd}}}}
</style></head><body><h1>{0}</h1>
)";

// A file of another kind would hold SVG that its viewers do not read.
void require_known_kind(std::string_view file) {
  const auto name = file.substr(file.find_last_of('/') + 1);
  const auto dot = name.find_last_of('.');
  const bool has_kind = dot != std::string_view::npos && dot != 0;
  if (has_kind && name.substr(dot) != ".svg")
    base::fail(base::Status::invalid_argument,
               "{} cannot be drawn: pictures are SVG, or pages if the file ends in .html", file);
}

}  // namespace

std::string plot_svg(const Plot& plot) {
  return Sheet(plot).draw();
}

std::string plots_html(std::span<const Plot> plots, std::string_view title) {
  std::string page = fmt::format(head_of_page, escaped(title), letters_of_pictures);
  for (const Plot& plot : plots) page += plot_svg(plot);
  return page + "</body></html>\n";
}

std::string plots_text(std::span<const Plot> plots, std::string_view title, std::string_view file) {
  if (file.ends_with(".html")) return plots_html(plots, title);
  require_known_kind(file);
  if (plots.size() != 1)
    base::fail(base::Status::invalid_argument,
               "{} would have {} pictures: a file that ends in .html takes all of them", file,
               plots.size());
  return plot_svg(plots.front());
}

}  // namespace tutti::draw
