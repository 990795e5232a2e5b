// SPDX-License-Identifier: BSD-3-Clause
// Draws strips, messages and the legend of a film.
#include "draw/film_canvas.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "draw/sentences.hpp"

namespace tutti::draw {
namespace {

constexpr double line_height = 19, letter_width = 7.1, chip_pitch = 17;

// Complete cells are dark, so their letters are white.
Ink ink_on(const Item& item) {
  return item.state == State::complete ? Ink::white : Ink::black;
}

std::string dash(Point middle) {
  return fmt::format("M{:.5g} {:.5g}h8", middle.x - 4, middle.y);
}

}  // namespace

FilmCanvas::FilmCanvas(const Film& film, const CellLook& look, std::vector<Scene> scenes)
    : film_(film), look_(look), rules_(rules_of(film)), scenes_(std::move(scenes)) {
  follows_ = !std::all_of(film.rounds.begin(), film.rounds.end(), [&](const Film::Round& round) {
    return std::all_of(round.messages.begin(), round.messages.end(),
                       [&](const Film::Message& message) { return film.leads(message); });
  });
  fit_rows();
}

void FilmCanvas::fit_rows() {
  std::size_t stack = 1, depth = 1;
  for (const Scene& scene : scenes_) {
    for (const auto& cells : film_.strips[at(scene.round) + 1])
      for (const Film::Cell& cell : cells) depth = std::max(depth, cell.size());
    if (scene.skipped == 0)
      for (const auto& row : film_.payloads(at(scene.round))) stack = std::max(stack, row.size());
  }
  const double chips = static_cast<double>(stack) * chip_pitch;
  if (!look_.letters) return;
  above_ = std::max(0.0, (chips - look_.h) / 2);
  look_.pitch = std::max(static_cast<double>(depth) * look_.h + (film_.p > 8 ? 8 : 12), chips + 4);
}

double FilmCanvas::chip_width(const Film::Message& message) const {
  std::size_t longest = 1;
  for (const Item& item : message.items) longest = std::max(longest, film_.name(item).size());
  return 8.0 + 7.0 * static_cast<double>(longest);
}

// Returns the width between two strips.
double FilmCanvas::zone(const Scene& scene) const {
  if (scene.skipped > 0 || !look_.letters) return 84;
  double chips = 0, distance = 0, plus = 0;
  for (const auto& m : film_.rounds[at(scene.round)].messages) {
    chips = std::max(chips, chip_width(m) * static_cast<double>(m.items.size()));
    distance = std::max(distance, std::abs(m.to - m.from) * look_.pitch);
    if (m.adds) plus = 20;
  }
  return std::max(78.0, chips + 16 + std::clamp(0.33 * distance, 46.0, 110.0) + plus);
}

void FilmCanvas::rank_labels(double x) {
  const int step = look_.letters ? 1 : std::max(1, film_.p / 4);
  for (int rank = 0; rank < film_.p; rank += step)
    pen_.text({x - 8, middle(rank) + 4.6}, "e", fmt::format("rank {}", rank));
}

void FilmCanvas::paragraph(const std::string& words) {
  for (const std::string& line :
       wrapped(words, static_cast<std::size_t>((width_ - 2 * margin) / letter_width))) {
    y_ += line_height;
    const bool more = line.starts_with("  ");
    pen_.text({margin + (more ? 14 : 0), y_}, "", more ? std::string_view(line).substr(2) : line);
  }
}

// Calls f with each item and its corner. Items of one cell hang below each other.
template <class F>
void FilmCanvas::for_each_item(double x, std::size_t index, F f) const {
  for (int rank = 0; rank < film_.p; ++rank)
    for (int slot = 0; slot < film_.slots; ++slot) {
      Point corner{x + slot * look_.w, row(rank)};
      for (const Item& item : film_.strips[index][at(rank)][at(slot)]) {
        f(corner, item);
        if (!look_.letters) break;
        corner.y += look_.h;
      }
    }
}

void FilmCanvas::strip(double x, std::size_t index) {
  std::map<State, std::vector<std::pair<Point, double>>> boxes;  // corners and widths by state
  std::string fresh, dashes;
  for_each_item(x, index, [&](Point corner, const Item& item) {
    auto& all = boxes[item.state];
    if (!look_.letters && !all.empty() && all.back().first.y == corner.y &&
        all.back().first.x + all.back().second == corner.x) {
      all.back().second += look_.w;
    } else {
      all.emplace_back(corner, look_.w);
    }
    if (item.fresh) fresh += box(corner, look_.w, look_.h);
    seen_.try_emplace(item.state, item);
    if (item.state == State::gone) dashes += dash(corner + Point{look_.w / 2, look_.h / 2});
  });
  for (const auto& [state, all] : boxes) {
    std::string d;
    for (const auto& [corner, wide] : all) d += box(corner, wide, look_.h);
    pen_.path(class_of(state, look_.letters) + std::string(look_.letters ? "" : " small"), d);
  }
  if (!look_.letters) return grid(x);
  pen_.path("dash", dashes);
  pen_.path(narrow() ? "new thin" : "new", fresh);
  fresh_ = fresh_ || !fresh.empty();
  for_each_item(x, index, [&](Point corner, const Item& item) {
    if (item.content >= 0) label(corner, item);
  });
}

void FilmCanvas::grid(double x) {
  std::string lines;
  // Between very small cells, lines would hide the colours.
  const int across = look_.h < 4 ? film_.p : 1, down = look_.w < 4 ? film_.slots : 1;
  for (int rank = 0; rank <= film_.p; rank += across)
    lines += fmt::format("M{:.5g} {:.5g}h{:.5g}", x, row(rank), strip_width());
  for (int slot = 0; slot <= film_.slots; slot += down)
    lines += fmt::format("M{:.5g} {:.5g}v{:.5g}", x + slot * look_.w, row(0), film_.p * look_.h);
  pen_.path("grid", lines);
}

// Writes the letter of an item. A partial sum also has the number of its terms, if there is room,
// and a bar whose ticks say from which ranks they are.
void FilmCanvas::label(Point at, const Item& item) {
  const double large = narrow() ? 10 : 14, w = look_.w, h = look_.h;
  const std::string name = film_.name(item);
  if (item.state != State::partial)
    return pen_.letter(at + Point{w / 2, h / 2 + 0.36 * large}, large, ink_on(item), name);
  const std::vector<int>& ranks = film_.of(item).ranks;
  const double base = h / 2 + 0.1 * large, bar = narrow() ? 4 : 5;
  pen_.letter(at + Point{(narrow() ? 0.5 : 0.38) * w, base}, large, ink_on(item), name);
  if (!narrow())
    pen_.letter(at + Point{0.75 * w, base + 2}, 10.4, Ink::black, std::to_string(ranks.size()));
  const Point corner = at + Point{2, h - bar - 2};
  pen_.path("bar", box(corner, w - 4, bar));
  std::string ticks;
  const double tick = (w - 4) / film_.p;
  for (const int rank : ranks) ticks += box(corner + Point{rank * tick, 0}, tick, bar);
  pen_.path("", ticks);
}

// Draws the blocks of a message as small cells and returns the x where they end.
double FilmCanvas::chips(Point at, const Film::Message& message) {
  const double w = chip_width(message);
  for (const Item& item : message.items) {
    pen_.path(class_of(item.state, look_.letters), box(at - Point{0, 7.5}, w, 15));
    pen_.letter(at + Point{w / 2, 3.6}, 9.9, ink_on(item), film_.name(item));
    at.x += w;
  }
  return at.x;
}

void FilmCanvas::messages(double x, double wide, int round) {
  std::string life;
  for (int rank = 0; rank < film_.p && look_.letters; ++rank)
    life += fmt::format("M{:.5g} {:.5g}h{:.5g}", x, middle(rank), wide);
  pen_.path("life", life);
  std::vector<DrawnArrow> arrows;
  std::set<int> adding;
  const auto rows = film_.payloads(at(round));
  for (std::size_t rank = 0; rank < rows.size(); ++rank)
    for (std::size_t j = 0; j < rows[rank].size(); ++j) {
      const Film::Payload& payload = rows[rank][j];
      if (!look_.letters && !film_.leads(*payload[0])) continue;
      const double offset = static_cast<double>(2 * j + 1) - static_cast<double>(rows[rank].size());
      Point from{x + 2, middle(static_cast<int>(rank))};
      if (look_.letters)
        from = {x + 8, from.y + offset * chip_pitch / 2}, from.x = chips(from, *payload[0]) + 1;
      for (const Film::Message* m : payload) {
        const double head = look_.letters && m->adds ? 18 : 2;
        arrows.push_back({from, {x + wide - head, middle(m->to)}, follows_ && film_.leads(*m)});
        if (m->adds) adding.insert(m->to);
      }
    }
  std::stable_sort(arrows.begin(), arrows.end(), [](const DrawnArrow& a, const DrawnArrow& b) {
    if (a.bold != b.bold) return b.bold;
    return std::abs(a.to.y - a.from.y) > std::abs(b.to.y - b.from.y);
  });
  for (const DrawnArrow& each : arrows) pen_.arrow(each), led_ = led_ || each.bold;
  for (const int rank : adding)
    if (look_.letters) pen_.plus({x + wide - 10, middle(rank)}), plus_ = true;
}

void FilmCanvas::headed_strip(double x, std::size_t index) {
  pen_.text({x + strip_width() / 2, y_ + 23}, "k m",
            index == 0 ? "start" : fmt::format("after {}", number(static_cast<int>(index) - 1)));
  strip(x, index);
}

void FilmCanvas::round(double x, double wide, int round) {
  pen_.text({x + wide / 2, y_ + 14}, "b m", fmt::format("round {}", number(round)));
  pen_.text({x + wide / 2, y_ + 28}, "k m", to_text(rules_[at(round)]));
  messages(x, wide, round);
}

void FilmCanvas::legend() {
  const double line = 30;
  y_ += 22;
  double x = margin;
  const auto place = [&](const std::string& words) {
    const double need = 34 + 7.1 * static_cast<double>(width(words)) + 22;
    if (x > margin && x + need > width_ - margin + 22) x = margin, y_ += line;
    const Point at{x, y_};
    pen_.text(at + Point{34, 14.6}, "", words);
    x += need;
    return at;
  };
  for (const auto& [state, example] : seen_) {
    std::string words = film_.meaning(state);
    if (state == State::partial && look_.letters)
      words += fmt::format(", here of ranks {}", fmt::join(film_.of(example).ranks, ", "));
    const double w = look_.letters ? look_.w : 26, h = look_.letters ? look_.h : 16;
    const Point corner = place(words) + Point{0, 10 - h / 2};
    pen_.path(class_of(state, look_.letters), box(corner, w, h));
    if (state == State::gone && look_.letters)
      pen_.path("dash", dash(corner + Point{look_.w / 2, look_.h / 2}));
    if (example.content >= 0 && look_.letters) label(corner, example);
  }
  if (fresh_) pen_.path("new", box(place("new in this round"), 26, 20));
  if (plus_) pen_.plus(place("receiver adds it") + Point{13, 10});
  if (!led_) return;
  const Point at =
      place(fmt::format(
          "carries {}{}",
          film_.operation == schedule::Operation::alltoall ? "a block of rank 0" : "block A",
          look_.letters ? ": follow it" : " (others are not drawn)")) +
      Point{0, 10};
  pen_.arrow({.from = at, .to = at + Point{26, 0}, .bold = true});
}

}  // namespace tutti::draw
