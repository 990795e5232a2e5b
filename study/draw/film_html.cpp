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

// A phone shows the picture of few ranks whole, so ranks have numbers only and cells are narrow.
CellLook narrow_look(const Film& film) {
  CellLook look = look_of(film, few_enough_for_letters(film));
  look.w = std::min(look.w, 24.0);
  return look;
}

// All pictures have rows of the same height at the same place, so nothing jumps between two steps.
class FilmSteps : private FilmCanvas {
 public:
  explicit FilmSteps(const Film& film)
      : FilmCanvas(film, narrow_look(film), scenes_of(film, 0), 32) {
    double widest = 0;
    for (const Scene& scene : scenes_) widest = std::max(widest, zone(scene));
    width_ = 2 * edge + labels_ + 2 * strip_width() + widest;
  }

  std::string start() {
    begin();
    headed_strip(edge + labels_, 0);
    return end("start");
  }

  std::string step(int round) {
    begin();
    const double x = edge + labels_ + strip_width();
    const double wide = zone(scenes_[at(round)]);
    headed_strip(edge + labels_, at(round));
    this->round(x, wide, round);
    strip_after(x + wide, round);
    return end(name(round));
  }

  // Returns the key of the marks in the last picture.
  std::string marks() {
    std::string all;
    for (const Entry& entry : key()) {
      pen_ = SvgPen(0, SvgPen::Style::of_page);
      mark(entry, {1, 2});
      pen_.reach({18, 12});  // the page has a margin
      all += fmt::format("<li>{}<span>{}</span></li>\n", pen_.finish("", Fit::full).first,
                         escaped(entry.words));
    }
    return all;
  }

  [[nodiscard]] std::string name(int round) const { return fmt::format("round {}", number(round)); }
  [[nodiscard]] Point size() const { return size_; }

 private:
  static constexpr double edge = 2;

  void begin() {
    pen_ = SvgPen(width_ - 12, SvgPen::Style::of_page);
    y_ = 0;
    rows_ = heading_height + above_;
    pen_.text({edge + labels_ - 8, 23}, "k e", "rank");
    rank_labels(edge + labels_);
  }
  std::string end(const std::string& title) {
    pen_.reach({0, row(film_.p) - 8});
    auto [picture, size] = pen_.finish(title, Fit::full);
    size_ = size;
    return picture;
  }

  Point size_;
};

std::string section(std::size_t index, const std::string& name, const std::string& sentence,
                    const std::string& picture, const std::string& marks) {
  return fmt::format(
      "<section class=\"step\" id=\"step-{}\" data-name=\"{}\">\n"
      "<div class=\"picture\">{}</div>\n<p class=\"sentence{}\">{}</p>\n"
      "<ul class=\"key\">{}</ul>\n</section>\n",
      index, name, picture, sentence.starts_with(wrong_begins) ? " wrong" : "", escaped(sentence),
      marks);
}

// The sentence about a wrong result stands below the last round.
std::string steps_of(const Film& film, FilmSteps& drawn) {
  const std::string begin = film.rounds.empty()
                                ? "There are no messages: every rank has its result."
                                : "Before the first round.";
  const std::vector<PhaseText> texts = phases(film);
  const bool wrong_result = film.fault && film.fault->round < 0;
  const auto sentence_of = [&](const PhaseText& phase, std::size_t round) {
    const bool last = wrong_result && round + 1 == film.rounds.size();
    return last ? texts.back().sentence : phase.sentence;
  };
  const std::string picture = drawn.start();
  std::string all =
      section(0, "start", film.rounds.empty() && film.fault ? texts.back().sentence : begin,
              picture, drawn.marks());
  for (const PhaseText& phase : texts) {
    for (std::size_t round = phase.first; round < phase.end; ++round) {
      const int index = static_cast<int>(round);
      const std::string step = drawn.step(index);
      all += section(round + 1, drawn.name(index), sentence_of(phase, round), step, drawn.marks());
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
  put(text, "@WIDTH@", fmt::format("{:.0f}", drawn.size().x));
  put(text, "@HEIGHT@", fmt::format("{:.0f}", drawn.size().y));
  return text;
}

}  // namespace tutti::draw
