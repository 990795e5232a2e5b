// SPDX-License-Identifier: BSD-3-Clause
// Draws the steps of a film, one picture for each, and puts them into the page of steps_page.html.
#include "draw/film_html.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "draw/film_canvas.hpp"
#include "draw/sentences.hpp"

namespace tutti::draw {
namespace {

constexpr const char* empty_page =
#include "steps_page.inc"
    ;

// All pictures have rows of the same height at the same place, so nothing jumps between two steps.
class FilmSteps : private FilmCanvas {
 public:
  explicit FilmSteps(const Film& film)
      : FilmCanvas(film, look_of(film, few_enough_for_letters(film)), scenes_of(film, 0)) {
    double widest = 0;
    for (const Scene& scene : scenes_) widest = std::max(widest, zone(scene));
    width_ = std::max(width_, 2 * margin + labels + 2 * strip_width() + widest);
  }

  std::string start() {
    begin();
    headed_strip(margin + labels, 0);
    return end("start");
  }

  std::string step(int round) {
    begin();
    const double x = margin + labels + strip_width();
    const double wide = zone(scenes_[at(round)]);
    headed_strip(margin + labels, at(round));
    this->round(x, wide, round);
    headed_strip(x + wide, at(round) + 1);
    return end(name(round));
  }

  std::string legend_of_all() {
    pen_ = SvgPen(width_ - 12, SvgPen::Style::of_page);
    y_ = -18;
    legend();
    pen_.reach({0, y_ + 30});
    return pen_.finish("marks", Fit::full).first;
  }

  [[nodiscard]] std::string name(int round) const { return fmt::format("round {}", number(round)); }

 private:
  void begin() {
    pen_ = SvgPen(width_ - 12, SvgPen::Style::of_page);
    y_ = 0;
    rows_ = heading_height + above_;
    rank_labels(margin + labels);
  }
  std::string end(const std::string& title) {
    pen_.reach({0, row(film_.p)});
    return pen_.finish(title, Fit::full).first;
  }
};

std::string section(std::size_t index, const std::string& name, const std::string& sentence,
                    const std::string& picture) {
  return fmt::format(
      "<section class=\"step\" id=\"step-{}\" data-name=\"{}\">\n<p class=\"sentence\">{}</p>\n"
      "<div class=\"picture\">{}</div>\n</section>\n",
      index, name, escaped(sentence), picture);
}

std::string steps_of(const Film& film, FilmSteps& drawn) {
  const std::string begin = film.rounds.empty()
                                ? "There are no messages: every rank has its result."
                                : "Before the first round.";
  std::string all = section(0, "start", begin, drawn.start());
  for (const PhaseText& phase : phases(film)) {
    for (std::size_t round = phase.first; round < phase.end; ++round) {
      const int index = static_cast<int>(round);
      all += section(round + 1, drawn.name(index), phase.sentence, drawn.step(index));
    }
  }
  return all;
}

// Replaces each @NAME@ of the text.
void put(std::string& text, const std::string& mark, const std::string& value) {
  for (std::size_t at = text.find(mark); at != std::string::npos;
       at = text.find(mark, at + value.size()))
    text.replace(at, mark.size(), value);
}

}  // namespace

std::string film_html(const Film& film, const std::string& title) {
  FilmSteps drawn(film);
  std::string heads;
  for (const std::string& line : heading(film)) heads += "<p>" + escaped(line) + "</p>\n";
  std::string text = empty_page;
  put(text, "@TITLE@", escaped(title));
  put(text, "@STYLE@",
      fmt::format(
          "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"style\" aria-hidden=\"true\">{}"
          "</svg>",
          SvgPen::style()));
  put(text, "@HEADING@", heads);
  put(text, "@ROUNDS@", std::to_string(film.rounds.size()));
  put(text, "@STEPS@", steps_of(film, drawn));
  put(text, "@LEGEND@", drawn.legend_of_all());
  return text;
}

}  // namespace tutti::draw
