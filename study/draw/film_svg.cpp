// SPDX-License-Identifier: BSD-3-Clause
// Draws a film: a head with title and explanations, bands of strips with arrows between them, the
// sentences, and a legend of the marks that are used.
#include "draw/film_svg.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "draw/film_canvas.hpp"
#include "draw/sentences.hpp"

namespace tutti::draw {
namespace {

class FilmPage : private FilmCanvas {
 public:
  FilmPage(const Film& film, const std::string& title, const CellLook& look, std::size_t most)
      : FilmCanvas(film, look, scenes_of(film, most)), title_(title) {
    std::vector<double> widths;
    for (const Scene& scene : scenes_) widths.push_back(zone(scene) + strip_width());
    const double first = labels_ + strip_width();
    bands_ = bands_of(widths, first, screen.x - 2 * margin, turn_of(film, scenes_));
    for (std::size_t b = 0; b < bands_.size(); ++b) {
      double x = first;
      for (std::size_t i = bands_[b]; i < end_of(b); ++i) x += widths[i];
      width_ = std::max(width_, x + 2 * margin);
    }
  }

  // Returns the picture and its size.
  std::pair<std::string, Point> draw(Fit fit) {
    pen_ = SvgPen(width_ - 12);
    y_ = margin + 12;
    pen_.text({margin, y_}, "t", title_);
    y_ += 2;
    for (const std::string& line : heading(film_)) paragraph(line);
    y_ += 10;
    for (std::size_t b = 0; b < bands_.size(); ++b) band(b);
    for (const PhaseText& phase : phases(film_))
      paragraph(phase.sentence, phase.sentence.starts_with(wrong_begins) ? "red" : "");
    legend();
    return pen_.finish(title_, fit);
  }

 private:
  std::size_t end_of(std::size_t band) const {
    return band + 1 < bands_.size() ? bands_[band + 1] : scenes_.size();
  }

  void band(std::size_t index) {
    rows_ = y_ + heading_height + above_;
    double x = margin + labels_;
    rank_labels(x);
    headed_strip(x, scenes_.empty() ? 0 : at(before(bands_[index])));
    for (std::size_t i = bands_[index]; i < end_of(index); ++i) {
      const Scene& scene = scenes_[i];
      x += strip_width();
      const double wide = zone(scene);
      scene.skipped > 0 ? gap(x + wide / 2, scene) : round(x, wide, scene.round);
      x += wide;
      strip_after(x, scene.round);
    }
    pen_.reach({x + strip_width(), y_});
    y_ = row(film_.p) + 12;
  }

  // Returns the index of the strip before a scene.
  int before(std::size_t scene) const {
    return scenes_[scene].round + 1 - std::max(1, scenes_[scene].skipped);
  }

  void gap(double x, const Scene& scene) {
    const double y = (row(0) + row(film_.p)) / 2;
    pen_.text(
        {x, y_ + 23}, "k m",
        fmt::format("rounds {}–{}", number(scene.round + 1 - scene.skipped), number(scene.round)));
    pen_.text({x, y - 16}, "b m", "· · ·");
    pen_.text({x, y + 4}, "b m", fmt::format("{} more", scene.skipped));
    pen_.text({x, y + 21}, "m", scene.alike ? "like these" : "not drawn");
  }

  std::string title_;
  std::vector<std::size_t> bands_;
};

bool fits(Point size) {
  return size.x <= screen.x && size.y <= screen.y;
}

enum class CellText { letters, none };

// Returns the picture with as many scenes as fit a screen. If `fewest` scenes do not fit,
// it returns "" for cells with letters, and for the smaller cells without them a picture of the
// fewest scenes.
std::string fitting(const Film& film, const std::string& title, CellText cells) {
  const bool letters = cells == CellText::letters;
  constexpr std::size_t fewest = 3;
  const auto drawn = [&](std::size_t most) {
    return FilmPage(film, title, look_of(film, letters), most).draw(Fit::screen);
  };
  std::size_t most = film.rounds.size() + 1;
  auto [best, size] = drawn(most);
  if (fits(size)) return best;
  best.clear();
  // Pictures with more scenes than `most` do not fit, those with fewer than `next` do.
  for (std::size_t next = fewest; next < most;) {
    const std::size_t middle = (next + most) / 2;
    auto [text, extent] = drawn(middle);
    fits(extent) ? next = middle + 1 : most = middle;
    if (fits(extent)) best = std::move(text);
  }
  return best.empty() && !letters ? drawn(fewest).first : best;
}

}  // namespace

std::string film_svg(const Film& film, const std::string& title, Fit fit) {
  const bool letters = few_enough_for_letters(film);
  if (fit == Fit::full) return FilmPage(film, title, look_of(film, letters), 0).draw(fit).first;
  const std::string picture = letters ? fitting(film, title, CellText::letters) : "";
  return picture.empty() ? fitting(film, title, CellText::none) : picture;
}

}  // namespace tutti::draw
