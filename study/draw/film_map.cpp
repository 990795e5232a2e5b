// SPDX-License-Identifier: BSD-3-Clause
// Counts the states of each rank's cells while the film goes on, and colours a grid with them.
#include "draw/film_map.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "draw/sentences.hpp"
#include "draw/svg_pen.hpp"

namespace tutti::draw {
namespace {

// How far a rank is. The names of the styles follow this order.
enum class Stage { nothing, own, passing, some, most, all };
constexpr std::array<const char*, 6> styles = {"gone", "own", "part", "d1", "d2", "done"};

// The stages of all ranks, one round after another.
class Stages {
 public:
  explicit Stages(const Film& film) : film_(film), counts_(at(film.p)), strip_(film.start) {
    for (int rank = 0; rank < film.p; ++rank)
      for (const Film::Cell& cell : strip_[at(rank)]) count(rank, cell, 1);
  }

  void advance(std::size_t round) {
    for (const Film::Change& change : film_.changes[round]) {
      Film::Cell& cell = strip_[at(change.rank)][at(change.slot)];
      count(change.rank, cell, -1);
      cell = change.cell;
      count(change.rank, cell, 1);
    }
  }

  [[nodiscard]] Stage of(int rank) const {
    const Counts& c = counts_[at(rank)];
    const int wants = film_.wants(rank);
    if (wants > 0 && c.complete >= wants) return Stage::all;
    if (2 * c.complete >= wants && c.complete > 0) return Stage::most;
    if (c.complete > 0) return Stage::some;
    if (c.passing > 0) return Stage::passing;
    return c.own > 0 ? Stage::own : Stage::nothing;
  }

 private:
  struct Counts {
    int complete = 0, passing = 0, own = 0;
  };
  void count(int rank, const Film::Cell& cell, int number) {
    Counts& c = counts_[at(rank)];
    for (const Item& item : cell) {
      if (item.state == State::complete) c.complete += number;
      if (item.state == State::partial || item.state == State::held) c.passing += number;
      if (item.state == State::own) c.own += number;
    }
  }

  const Film& film_;
  std::vector<Counts> counts_;
  Film::Strip strip_;
};

class Map {
 public:
  explicit Map(const Film& film)
      : film_(film),
        columns_(film.rounds.size() + 1),
        step_((columns_ + most_columns - 1) / most_columns),
        w_(std::clamp(
            std::floor(1100.0 * static_cast<double>(step_) / static_cast<double>(columns_)), 2.0,
            80.0)),
        h_(std::clamp(std::floor(900.0 / film.p), 1.0, 6.0)),
        width_(std::max(760.0, x(columns_) + margin)),
        pen_(width_ - 12) {}

  std::string draw(const std::string& title, Fit fit) {
    y_ = margin + 12;
    pen_.text({margin, y_}, "t", title);
    y_ += 2;
    for (const std::string& line : heading(film_)) paragraph(line, "");
    y_ += 40;
    grid();
    y_ += h_ * film_.p + 8;
    for (const PhaseText& phase : phases(film_))
      paragraph(phase.sentence, phase.sentence.starts_with(wrong_begins) ? "red" : "");
    legend();
    return pen_.finish(title, fit).first;
  }

 private:
  static constexpr std::size_t most_columns = 480;
  static constexpr double margin = 16, labels = 44, line_height = 19;

  // Several rounds share a column if there are many.
  double x(std::size_t column) const {
    return margin + labels + w_ * static_cast<double>(column / step_);
  }
  double y(int rank) const { return y_ + h_ * rank; }

  void paragraph(const std::string& words, std::string_view kind) {
    for (const std::string& line :
         wrapped(words, static_cast<std::size_t>((width_ - 2 * margin) / 7.1))) {
      y_ += line_height;
      pen_.text({margin, y_}, kind, line);
    }
  }

  void grid() {
    Stages stages(film_);
    axes();
    column(0, stages);
    for (std::size_t round = 0; round < film_.rounds.size(); ++round) {
      if (film_.wrong(round)) break;
      stages.advance(round);
      if ((round + 1) % step_ == 0 || round + 1 == film_.rounds.size()) column(round + 1, stages);
    }
    for (std::size_t i = 0; i < styles.size(); ++i)
      pen_.path(std::string(styles[i]) + " small", boxes_[i]);
    ways();
  }

  // Ranks beside each other at one stage are one box.
  void column(std::size_t index, const Stages& stages) {
    for (int rank = 0; rank < film_.p;) {
      const Stage stage = stages.of(rank);
      int end = rank + 1;
      while (end < film_.p && stages.of(end) == stage) ++end;
      boxes_[static_cast<std::size_t>(stage)] += box({x(index), y(rank)}, w_, h_ * (end - rank));
      rank = end;
    }
  }

  void axes() {
    pen_.text({margin + labels - 8, y_ - 10}, "k e", "rank");
    const int ranks = tick(film_.p, 28 / h_);
    for (int rank = 0; rank < film_.p; rank += ranks)
      pen_.text({margin + labels - 8, y(rank) + h_ / 2 + 4}, "k e", fmt::format("{}", rank));
    const double scale = w_ / static_cast<double>(step_);
    const int rounds = tick(static_cast<int>(columns_), 44 / scale);
    pen_.text({margin + labels, y_ - 24}, "k", "after round (0: start)");
    for (int round = 0; round < static_cast<int>(columns_); round += rounds)
      pen_.text({x(at(round)) + w_ / 2, y_ - 8}, "k m",
                fmt::format("{}", round == 0 ? 0 : film_.rounds[at(round - 1)].number));
  }

  // Returns the smallest of 1, 2, 5, 10, ... that is at least `least`.
  static int tick(int most, double least) {
    for (int unit = 1; unit < most; unit *= 10)
      for (const int factor : {1, 2, 5})
        if (factor * unit >= least) return factor * unit;
    return most;
  }

  // The lines end in the column of the round in which block A arrives. So many of them in a round
  // that they would hide the colours are left out.
  void ways() {
    constexpr int most_ways = 100;  // of a round
    std::string all;
    for (std::size_t round = 0; round < film_.rounds.size(); ++round) {
      std::string d;
      int drawn = 0;
      for (const Film::Message& message : film_.rounds[round].messages) {
        if (!film_.leads(message) || ++drawn > most_ways) continue;
        d += fmt::format("M{:.5g} {:.5g}L{:.5g} {:.5g}", x(round) + w_ / 2,
                         y(message.from) + h_ / 2, x(round + 1) + w_ / 2, y(message.to) + h_ / 2);
      }
      if (drawn > most_ways)
        dense_ = true;
      else
        all += d;
    }
    led_ = !all.empty();
    pen_.path("way", all);
  }

  void legend() {
    const std::array<std::string, 6> words = {
        "nothing that it needs",
        "own input only",
        film_.reduces() ? "partial sums" : "blocks for other ranks",
        "some complete blocks",
        "half of its result or more",
        "its whole result"};
    double x = margin;
    y_ += 22;
    const auto entry = [&](const std::string& text) {
      const double need = 34 + 7.1 * static_cast<double>(width(text)) + 22;
      if (x > margin && x + need > width_) x = margin, y_ += 28;
      pen_.text({x + 34, y_ + 14.6}, "", text);
      return std::exchange(x, x + need);
    };
    for (std::size_t i = 0; i < styles.size(); ++i)
      if (!boxes_[i].empty()) {
        const double left = entry(words[i]);
        pen_.path(styles[i], box({left, y_ + 2}, 26, 16));
      }
    if (led_) {
      const bool exchange = film_.operation == schedule::Operation::alltoall;
      const double left = entry(
          fmt::format("the way of {}{}", exchange ? "rank 0's blocks" : "block A",
                      dense_ ? ", without rounds in which more than 100 ranks pass it on" : ""));
      pen_.path("way", fmt::format("M{:.5g} {:.5g}h26", left, y_ + 10));
    }
    pen_.reach({0, y_ + 24});
  }

  const Film& film_;
  std::size_t columns_, step_;
  double w_, h_, width_;
  SvgPen pen_;
  double y_ = 0;
  std::array<std::string, 6> boxes_;  // by stage
  bool led_ = false, dense_ = false;
};

}  // namespace

std::string map_svg(const Film& film, const std::string& title, Fit fit) {
  return Map(film).draw(title, fit);
}

}  // namespace tutti::draw
