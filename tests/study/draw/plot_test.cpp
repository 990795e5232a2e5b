// SPDX-License-Identifier: BSD-3-Clause
// Tests plots: labels of axes, curves that lie upon each other, crossings, flags and square plots.
// tests/house/plots.py looks at finished pictures.
#include "draw/plot.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <regex>

#include "base/error.hpp"
#include "draw/flags.hpp"
#include "draw/turns.hpp"

namespace tutti::draw {
namespace {

int occurrences(const std::string& text, const std::string& part) {
  int found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
    ++found;
  return found;
}

std::vector<std::string> labels_between(double low, double high, Axis axis) {
  Ruler ruler(std::move(axis), 8);
  ruler.include(low);
  ruler.include(high);
  std::vector<std::string> labels;
  for (const Tick& tick : ruler.ticks())
    if (!tick.label.empty()) labels.push_back(tick.label);
  return labels;
}

using Labels = std::vector<std::string>;

TEST(Axis, LabelsHaveUnits) {
  EXPECT_EQ(labels_between(8, 16 << 20, {"", Unit::bytes}),
            (Labels{"16 B", "256 B", "4 KiB", "64 KiB", "1 MiB", "16 MiB"}));
  EXPECT_EQ(labels_between(0.5, 2e7, {"", Unit::microseconds}),
            (Labels{"1 µs", "10 µs", "100 µs", "1 ms", "10 ms", "100 ms", "1 s", "10 s"}));
  EXPECT_EQ(labels_between(0, 0.03, {"", Unit::seconds, Scale::linear}),
            (Labels{"0", "5 ms", "10 ms", "15 ms", "20 ms", "25 ms", "30 ms"}));
  EXPECT_EQ(labels_between(2, 64, {"", Unit::ranks}), (Labels{"2", "4", "8", "16", "32", "64"}));
  EXPECT_EQ(
      labels_between(0, 4096, {"", Unit::bytes, Scale::linear}),
      (Labels{"0", "512 B", "1 KiB", "1.5 KiB", "2 KiB", "2.5 KiB", "3 KiB", "3.5 KiB", "4 KiB"}));
}

TEST(Axis, NoNumberHasAnExponent) {
  for (const Unit unit : {Unit::number, Unit::bytes, Unit::percent, Unit::microseconds})
    for (double high = 1e-2; high < 1e12; high *= 70)
      for (const Scale scale : {Scale::logarithmic, Scale::linear})
        for (const std::string& label : labels_between(high / 300, high, {"", unit, scale}))
          EXPECT_FALSE(std::regex_search(label, std::regex("[0-9]e"))) << label;
  EXPECT_EQ(label_of(10'000'000, Unit::number), "10 million");
  EXPECT_EQ(label_of(40'000, Unit::number), "40 000");
}

TEST(Axis, EveryRangeHasAFewLabelsAndInnerTicks) {
  for (const Unit unit : {Unit::number, Unit::bytes, Unit::ranks, Unit::microseconds}) {
    for (const double span : {1.3, 4.0, 30.0, 1e3, 1e6}) {
      for (const Scale scale : {Scale::logarithmic, Scale::linear}) {
        Ruler ruler({"", unit, scale}, 8);
        ruler.include(3);
        ruler.include(3 * span);
        const std::vector<Tick> ticks = ruler.ticks();
        const auto labels = std::count_if(ticks.begin(), ticks.end(),
                                          [](const Tick& tick) { return !tick.label.empty(); });
        EXPECT_GE(labels, 2) << static_cast<int>(unit) << ' ' << span;
        EXPECT_LE(labels, 11) << static_cast<int>(unit) << ' ' << span;
        for (const Tick& tick : ticks) {
          EXPECT_GE(ruler.place(tick.value), -1e-6);
          EXPECT_LE(ruler.place(tick.value), 1 + 1e-6);
        }
      }
    }
  }
}

double length_of(const std::vector<Trail>& pieces) {
  double sum = 0;
  for (const Trail& piece : pieces)
    for (std::size_t i = 1; i < piece.size(); ++i) sum += length(piece[i] - piece[i - 1]);
  return sum;
}

TEST(Turns, TrailsUponEachOtherShareTheirPlace) {
  const Trail flat{{0, 50}, {300, 50}}, steep{{10, 0}, {20, 300}};
  for (const Trail& trail : {flat, steep}) {
    for (const int trails : {2, 3, 5}) {
      const std::vector<std::vector<Trail>> pieces =
          in_turns(std::vector<Trail>(static_cast<std::size_t>(trails), trail));
      for (const std::vector<Trail>& own : pieces)
        EXPECT_NEAR(length_of(own) * trails, 300, 0.25 * 300) << trails;
    }
  }
}

TEST(Turns, TrailsThatCrossOrLieApartAreWhole) {
  const std::vector<Trail> trails = {
      {{0, 0}, {200, 100}}, {{0, 100}, {200, 0}}, {{0, 110}, {200, 110}}, {{0, 114}, {200, 114}}};
  for (const std::vector<Trail>& pieces : in_turns(trails)) EXPECT_EQ(pieces.size(), 1U);
}

TEST(Turns, ATrailIsWholeWhereItIsAlone) {
  const std::vector<Trail> trails = {{{0, 0}, {100, 0}, {200, 100}},
                                     {{0, 0}, {100, 0}, {200, -100}}};
  for (const std::vector<Trail>& pieces : in_turns(trails)) EXPECT_EQ(pieces.back().back().x, 200);
}

const Axes bytes_and_time{{"bytes", Unit::bytes}, {"time", Unit::microseconds}};

Curve line(const std::string& name, double start, double per_byte,
           Curve::Kind kind = Curve::Kind::plain) {
  Curve curve{name, {}, kind};
  for (double bytes = 8; bytes <= (1 << 20); bytes *= 2)
    curve.points.push_back({bytes, start + per_byte * bytes});
  return curve;
}

TEST(Crossings, SayFromWhereAnotherCurveIsTheLowest) {
  const std::vector<Curve> curves = {line("short", 10, 1), line("middle", 110, 0.5),
                                     line("long", 1110, 0.25),
                                     line("limit", 1, 0.1, Curve::Kind::limit)};
  const std::vector<Crossing> found = crossings_of(curves, bytes_and_time);
  ASSERT_EQ(found.size(), 2U);
  EXPECT_NEAR(found[0].at.x, 200, 5);  // the curves are straight between powers of two
  EXPECT_NEAR(found[1].at.x, 4000, 100);
  EXPECT_EQ(found[0].words.substr(0, 12), "middle from ");
  EXPECT_EQ(found[1].words.substr(0, 10), "long from ");
  EXPECT_TRUE(crossings_of({curves.data(), 1}, bytes_and_time).empty());
}

// Words on one side of a line that are within the page.
struct Words {
  double from, to;
};

Words words_of(const Flag& flag) {
  const double wide = text_width(flag.words, 12);
  const double from = flag.to_the_left ? flag.x - 5 - wide : flag.x + 5;
  return {from, from + wide};
}

void expect_apart(const std::vector<Flag>& set) {
  for (const Flag& flag : set) {
    const Words words = words_of(flag);
    EXPECT_GE(words.from, 0);
    EXPECT_LE(words.to, 708);
    for (const Flag& other : set) {
      if (&flag == &other) continue;
      const bool line_passes = other.row >= flag.row;
      EXPECT_FALSE(line_passes && other.x > words.from && other.x < words.to) << flag.words;
      const Words its = words_of(other);
      EXPECT_FALSE(other.row == flag.row && words.from < its.to && its.from < words.to)
          << flag.words << ", " << other.words;
    }
  }
  EXPECT_LE(rows_of(set), static_cast<int>(set.size()));
}

TEST(Flags, WordsMeetNeitherWordsNorLines) {
  std::vector<Flag> flags;
  for (const double x : {100.0, 130.0, 135.0, 300.0, 600.0, 650.0, 690.0})
    flags.push_back({x, "scatter_allgather from 1 MiB"});
  expect_apart(set_up(flags, 12, 708));
}

TEST(Flags, LongAndShortWordsTakeTurns) {
  std::vector<Flag> flags;
  for (const double x : {76.2, 256.3, 287.7, 452.6, 505.4, 535.3, 571.2, 574.4})
    flags.push_back({x, flags.size() % 2 == 0 ? "ring from 3" : "bidirectional_exchange from 10"});
  expect_apart(set_up(flags, 12, 688));
}

TEST(Plot, HasACurveAMarkAndANameForEach) {
  Plot plot{"a & b", bytes_and_time, {line("a < b", 10, 1, Curve::Kind::measured)}};
  plot.curves.push_back(line("model", 9, 1, Curve::Kind::computed));
  const std::string svg = plot_svg(plot);
  EXPECT_EQ(occurrences(svg, "a3.6 3.6 0 1 0 7.2"), 18 + 1);  // at the points and in the legend
  EXPECT_EQ(occurrences(svg, "class=\"line thin dash\""), 2);
  EXPECT_EQ(occurrences(svg, ">a &lt; b</text>"), 1);
  EXPECT_EQ(occurrences(svg, "<g class=\"c0\">"), 3);  // of the model and what it belongs to
  for (const char* part :
       {"<title>a &amp; b</title>", "<desc>", "role=\"img\"", "prefers-color-scheme:dark"})
    EXPECT_GE(occurrences(svg, part), 1) << part;
}

TEST(Plot, ShowsQuartilesCrossingsAndTheDiagonal) {
  Plot plot{"", bytes_and_time, {line("one", 10, 1), line("other", 100, 0.5)}};
  for (const Point& point : plot.curves[0].points)
    plot.curves[0].band.push_back({point.x, point.y / 2, point.y * 2});
  plot.crossings = crossings_of(plot.curves, plot.axes);
  const std::string svg = plot_svg(plot);
  EXPECT_EQ(occurrences(svg, "class=\"band\""), 2);
  EXPECT_EQ(occurrences(svg, "class=\"ring\""), 1);
  EXPECT_EQ(occurrences(svg, "class=\"at\""), 1);
  EXPECT_EQ(occurrences(svg, "class=\"equal\""), 0);
  const Plot square{"", {{"ratio"}, {"ratio"}}, {{"seen", {{1, 2}, {9, 3}}}}, {}, "equal"};
  std::smatch frame;
  const std::string drawn = plot_svg(square);
  ASSERT_TRUE(std::regex_search(drawn, frame,
                                std::regex("class=\"frame\" d=\"M[0-9. ]+h([0-9.]+)v([0-9.]+)h")));
  EXPECT_EQ(frame[1], frame[2]);
  EXPECT_EQ(occurrences(drawn, "class=\"equal\""), 2);
}

TEST(Plot, TellsTheEighthCurveFromTheFirst) {
  Plot plot{"", bytes_and_time, {}};
  for (int i = 0; i < 7; ++i) plot.curves.push_back(line("c", std::exp2(i), 1));
  EXPECT_EQ(occurrences(plot_svg(plot), "\"line again\""), 0);
  plot.curves.push_back(line("c", 500, 1));
  EXPECT_EQ(occurrences(plot_svg(plot), "\"line again\""), 2);
}

TEST(Plot, RefusesWhatCannotStandOnItsAxes) {
  EXPECT_THROW((void)plot_svg({"", bytes_and_time, {}}), base::Error);
  EXPECT_THROW((void)plot_svg({"", bytes_and_time, {{"", {{1, 0}}}}}), base::Error);
  const Axes linear{{"", Unit::number, Scale::linear}, {"", Unit::number, Scale::linear}};
  EXPECT_THROW((void)plot_svg({"", linear, {{"", {{1, -1}}}}}), base::Error);
  EXPECT_NE(plot_svg({"", linear, {{"", {{0, 0}, {5, 2}}}}}), "");
}

TEST(Plot, AFileHasAPictureOrAPageWithAll) {
  const std::vector<Plot> plots(2, Plot{"", bytes_and_time, {line("a", 1, 1)}});
  EXPECT_EQ(occurrences(plots_text(plots, "both", "x.html"), "<svg "), 2);
  EXPECT_THROW((void)plots_text(plots, "both", "x.svg"), base::Error);
  EXPECT_EQ(plots_text({plots.data(), 1}, "one", "x.svg").substr(0, 5), "<svg ");
}

}  // namespace
}  // namespace tutti::draw
