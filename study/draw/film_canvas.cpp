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
constexpr double letters_of_chips = 11;  // their size

// Complete cells are dark, so their letters are white.
Ink ink_on(const Item& item) {
  return item.state == State::complete ? Ink::white : Ink::black;
}

std::string dash(Point middle) {
  return fmt::format("M{:.5g} {:.5g}h8", middle.x - 4, middle.y);
}

}  // namespace

FilmCanvas::FilmCanvas(const Film& film, const CellLook& look, std::vector<Scene> scenes,
                       double labels)
    : film_(film),
      reel_(film),
      look_(look),
      labels_(labels),
      rules_(rules_of(film)),
      scenes_(std::move(scenes)) {
  follows_ = !std::all_of(film.rounds.begin(), film.rounds.end(), [&](const Film::Round& round) {
    return std::all_of(round.messages.begin(), round.messages.end(),
                       [&](const Film::Message& message) { return film.leads(message); });
  });
  fit_rows();
}

void FilmCanvas::fit_rows() {
  std::size_t stack = 1, depth = 1;
  for (const Scene& scene : scenes_) {
    if (!film_.wrong(at(scene.round)))
      for (const auto& cells : reel_[at(scene.round) + 1])
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
  return 8.0 + 0.72 * letters_of_chips * static_cast<double>(longest);
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
    pen_.text({x - 8, middle(rank) + 4.6}, "e",
              labels_ < 54 ? fmt::format("{}", rank) : fmt::format("rank {}", rank));
}

void FilmCanvas::paragraph(const std::string& words, std::string_view kind) {
  for (const std::string& line :
       wrapped(words, static_cast<std::size_t>((width_ - 2 * margin) / letter_width))) {
    y_ += line_height;
    const bool more = line.starts_with("  ");
    pen_.text({margin + (more ? 14 : 0), y_}, kind, more ? std::string_view(line).substr(2) : line);
  }
}

// Calls f with each item and its corner. Items of one cell hang below each other.
template <class F>
void FilmCanvas::for_each_item(double x, std::size_t index, F f) {
  const Film::Strip& strip = reel_[index];
  for (int rank = 0; rank < film_.p; ++rank)
    for (int slot = 0; slot < film_.slots; ++slot) {
      Point corner{x + slot * look_.w, row(rank)};
      for (const Item& item : strip[at(rank)][at(slot)]) {
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
  if (!look_.letters) grid(x);
  wrong_cells(x, index);
  if (!look_.letters) return;
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

// Writes the letter of an item, no larger than its cell. A partial sum also has the number of its
// terms, if there is room, and a bar whose ticks say from which ranks they are.
void FilmCanvas::label(Point at, const Item& item) {
  const double w = look_.w, h = look_.h;
  const std::string name = film_.name(item);
  const bool partial = item.state == State::partial;
  const std::string terms = partial ? std::to_string(film_.of(item).terms) : "";
  const double number = 11, large = std::min(narrow() ? 11.0 : 14.0, (w - 3) / name_width(name));
  const bool room = partial && name_width(name) * large + name_width(terms) * number + 4 <= w;
  if (!partial)
    return pen_.letter(at + Point{w / 2, h / 2 + 0.36 * large}, large, ink_on(item), name);
  const double base = h / 2 + 0.1 * large, bar = narrow() ? 4 : 5;
  const double left =
      room ? (w - name_width(name) * large - name_width(terms) * number - 1) / 2 : 0;
  pen_.letter(at + Point{room ? left + name_width(name) * large / 2 : w / 2, base}, large,
              ink_on(item), name);
  if (room)
    pen_.letter(at + Point{w - left - name_width(terms) * number / 2, base + 2}, number, Ink::black,
                terms);
  const Point corner = at + Point{2, h - bar - 2};
  pen_.path("bar", box(corner, w - 4, bar));
  std::string ticks;
  const double tick = (w - 4) / film_.p;
  for (const int rank : film_.ranks(item)) ticks += box(corner + Point{rank * tick, 0}, tick, bar);
  pen_.path("", ticks);
}

// Frames the cells that do not hold their result.
void FilmCanvas::wrong_cells(double x, std::size_t index) {
  if (!film_.fault || film_.fault->round >= 0 || index != film_.rounds.size()) return;
  std::string frames;
  for (const int slot : film_.fault->slots)
    frames += box({x + slot * look_.w, row(film_.fault->rank)}, look_.w, look_.h);
  pen_.path("bad", frames);
}

// Draws the blocks of a message as small cells and returns the x where they end.
double FilmCanvas::chips(Point at, const Film::Message& message) {
  const double w = chip_width(message);
  for (const Item& item : message.items) {
    pen_.path(class_of(item.state, look_.letters), box(at - Point{0, 7.5}, w, 15));
    pen_.letter(at + Point{w / 2, 4}, letters_of_chips, ink_on(item), film_.name(item));
    at.x += w;
  }
  return at.x;
}

// Draws the blocks of all messages of a round, and returns their arrows.
std::vector<DrawnArrow> FilmCanvas::arrows(double x, double wide, int round) {
  std::vector<DrawnArrow> arrows;
  const bool wrong = film_.wrong(at(round));
  bool missing = wrong && film_.fault->from >= 0;
  double missing_from = x + 8;  // behind the blocks that its rank sends to others
  const auto rows = film_.payloads(at(round));
  for (std::size_t rank = 0; rank < rows.size(); ++rank)
    for (std::size_t j = 0; j < rows[rank].size(); ++j) {
      const Film::Payload& payload = rows[rank][j];
      const bool leads = film_.leads(*payload[0]);
      if (!look_.letters && !leads && !wrong) continue;
      const double offset = static_cast<double>(2 * j + 1) - static_cast<double>(rows[rank].size());
      Point from{x + 2, middle(static_cast<int>(rank))};
      if (look_.letters)
        from = {x + 8, from.y + offset * chip_pitch / 2}, from.x = chips(from, *payload[0]) + 1;
      if (missing && static_cast<int>(rank) == film_.fault->from)
        missing_from = std::max(missing_from, from.x);
      const ArrowKind usual = follows_ && leads ? ArrowKind::bold : ArrowKind::usual;
      for (const Film::Message* m : payload) {
        const double head = look_.letters && m->adds ? 18 : 2;
        const bool bad = wrong && film_.fault->concerns(*m);
        missing = missing && !bad;
        arrows.push_back({from, {x + wide - head, middle(m->to)}, bad ? ArrowKind::wrong : usual});
      }
    }
  if (missing)
    arrows.push_back({{missing_from, middle(film_.fault->from)},
                      {x + wide - 2, middle(film_.fault->to)},
                      ArrowKind::missing});
  return arrows;
}

void FilmCanvas::messages(double x, double wide, int round) {
  std::string life;
  for (int rank = 0; rank < film_.p && look_.letters; ++rank)
    life += fmt::format("M{:.5g} {:.5g}h{:.5g}", x, middle(rank), wide);
  pen_.path("life", life);
  std::vector<DrawnArrow> all = arrows(x, wide, round);
  std::stable_sort(all.begin(), all.end(), [](const DrawnArrow& a, const DrawnArrow& b) {
    if (a.kind != b.kind) return a.kind < b.kind;
    return std::abs(a.to.y - a.from.y) > std::abs(b.to.y - b.from.y);
  });
  for (const DrawnArrow& each : all) {
    pen_.arrow(each);
    led_ = led_ || each.kind == ArrowKind::bold;
    wrong_ = wrong_ || each.kind == ArrowKind::wrong;
    missing_ = missing_ || each.kind == ArrowKind::missing;
  }
  std::set<int> adding;
  for (const Film::Message& m : film_.rounds[at(round)].messages)
    if (m.adds && look_.letters) adding.insert(m.to);
  for (const int rank : adding) pen_.plus({x + wide - 10, middle(rank)}), plus_ = true;
}

void FilmCanvas::headed_strip(double x, std::size_t index) {
  pen_.text({x + strip_width() / 2, y_ + 23}, "k m",
            index == 0 ? "start" : fmt::format("after {}", number(static_cast<int>(index) - 1)));
  strip(x, index);
}

void FilmCanvas::strip_after(double x, int round) {
  if (!film_.wrong(at(round))) return headed_strip(x, at(round) + 1);
  const double middle_of_all = x + strip_width() / 2;
  pen_.text({middle_of_all, y_ + 23}, "red m", "WRONG");
  if (film_.fault->rank < 0) return;
  const Point at{middle_of_all, middle(film_.fault->rank)};
  pen_.path("bad", fmt::format("M{:.5g} {:.5g}l14 14m0-14l-14 14", at.x - 7, at.y - 7));
}

void FilmCanvas::round(double x, double wide, int round) {
  pen_.text({x + wide / 2, y_ + 14}, film_.wrong(at(round)) ? "red m" : "b m",
            fmt::format("round {}", number(round)));
  pen_.text({x + wide / 2, y_ + 28}, "k m", to_text(rules_[at(round)]));
  messages(x, wide, round);
}

std::vector<FilmCanvas::Entry> FilmCanvas::key() {
  using Mark = Entry::Mark;
  std::vector<Entry> all;
  for (const auto& [state, example] : seen_) {
    std::string words = film_.meaning(state);
    if (state == State::partial && look_.letters)
      words += fmt::format(", here of ranks {}", fmt::join(film_.ranks(example), ", "));
    all.push_back({Mark::cell, std::move(words), example});
  }
  if (fresh_) all.push_back({Mark::fresh, "new in this round"});
  if (plus_) all.push_back({Mark::plus, "receiver adds it"});
  const bool exchange = film_.operation == schedule::Operation::alltoall;
  if (led_)
    all.push_back(
        {Mark::lead, fmt::format("carries {}{}", exchange ? "a block of rank 0" : "block A",
                                 look_.letters ? ": follow it" : " (others are not drawn)")});
  if (wrong_) all.push_back({Mark::wrong, "the message that is wrong"});
  if (missing_) all.push_back({Mark::missing, "a message that nobody sends"});
  seen_.clear();
  fresh_ = plus_ = led_ = wrong_ = missing_ = false;
  return all;
}

void FilmCanvas::mark(const Entry& entry, Point at) {
  using Mark = Entry::Mark;
  const auto arrow = [&](ArrowKind kind) {
    pen_.arrow({at + Point{0, 10}, at + Point{26, 10}, kind});
  };
  switch (entry.mark) {
    case Mark::cell: {
      const State state = entry.example.state;
      const double w = look_.letters ? look_.w : 26, h = look_.letters ? look_.h : 16;
      const Point corner = at + Point{0, 10 - h / 2};
      pen_.path(class_of(state, look_.letters), box(corner, w, h));
      if (state == State::gone && look_.letters)
        pen_.path("dash", dash(corner + Point{look_.w / 2, look_.h / 2}));
      if (entry.example.content >= 0 && look_.letters) label(corner, entry.example);
      return;
    }
    case Mark::fresh:
      return pen_.path("new", box(at, 26, 20));
    case Mark::plus:
      return pen_.plus(at + Point{13, 10});
    case Mark::lead:
      return arrow(ArrowKind::bold);
    case Mark::wrong:
      return arrow(ArrowKind::wrong);
    case Mark::missing:
      return arrow(ArrowKind::missing);
  }
}

void FilmCanvas::legend() {
  const double line = 30;
  y_ += 22;
  double x = margin;
  for (const Entry& entry : key()) {
    const double need = 34 + 7.1 * static_cast<double>(width(entry.words)) + 22;
    if (x > margin && x + need > width_ - margin + 22) x = margin, y_ += line;
    pen_.text({x + 34, y_ + 14.6}, "", entry.words);
    mark(entry, {x, y_});
    x += need;
  }
}

}  // namespace tutti::draw
