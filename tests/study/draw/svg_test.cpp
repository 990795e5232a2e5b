// SPDX-License-Identifier: BSD-3-Clause
// Tests SVG files: a shape for each thing to show, nothing outside of the page, conflicts in red.
#include "draw/svg.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <regex>

#include "base/error.hpp"
#include "draw/heat.hpp"
#include "draw/picture.hpp"
#include "draw/surface.hpp"
#include "draw/timeline.hpp"
#include "golden.hpp"

namespace tutti::draw {
namespace {

using schedule::Operation;

int count(const std::string& text, const std::string& part) {
  int found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
    ++found;
  return found;
}

// Every opening of an element is closed, and no text is left unescaped.
void expect_well_formed(const std::string& svg) {
  EXPECT_EQ(svg.substr(0, 5), "<svg ");
  EXPECT_EQ(count(svg, "<text"), count(svg, "</text>"));
  EXPECT_EQ(count(svg, "</svg>"), 1);
  EXPECT_EQ(count(svg, "nan"), 0);
  EXPECT_FALSE(std::regex_search(svg, std::regex(">[^<\\n]*[0-9]->[0-9][^<]*</text>")));
}

void expect_inside(const std::string& svg) {
  std::smatch size;
  ASSERT_TRUE(std::regex_search(svg, size, std::regex("viewBox=\"0 0 ([0-9]+) ([0-9]+)\"")));
  const std::regex numbers("(x|cx|y|cy)=\"(-?[0-9.]+)\"");
  for (auto it = std::sregex_iterator(svg.begin(), svg.end(), numbers);
       it != std::sregex_iterator(); ++it) {
    const double value = std::atof((*it)[2].str().c_str());
    EXPECT_GE(value, 0);
    EXPECT_LE(value, std::atof(size[(*it)[1].str().back() == 'x' ? 1 : 2].str().c_str()));
  }
}

TEST(Svg, Charts) {
  const auto cube = machine::parse_topology("hypercube:3");
  const auto svg = [&](const char* name) {
    const Chart chart =
        chart_of(messages_on(*cube, Operation::alltoall, name), *cube, Marks::schedule);
    return chart_svg(chart, *cube, name);
  };
  const std::string circle = svg("circle"), pairwise = svg("pairwise");
  for (const std::string& text : {circle, pairwise, svg("linear")}) {
    expect_well_formed(text);
    expect_inside(text);
  }
  EXPECT_EQ(count(pairwise, "#d55e00"), 0);
  EXPECT_EQ(count(pairwise, "fill=\"#bcd4ee\"/>"), 24 * 4);
  EXPECT_EQ(count(circle, "#d55e00"), 2);
}

TEST(Svg, Rounds) {
  for (const char* name : {"line:8", "ring:5", "mesh:3x4", "torus:4x4", "hypercube:3",
                           "hypercube:5", "mesh:2x3x4", "crossbar:6"}) {
    const auto topology = machine::parse_topology(name);
    const auto messages = messages_on(*topology, Operation::broadcast, "mst");
    const std::string svg = rounds_svg(messages, *topology, name);
    expect_well_formed(svg);
    expect_inside(svg);
    EXPECT_EQ(count(svg, "<circle"), traffic::last_step(messages) * topology->nodes()) << name;
    int arrows = 0;
    for (const auto& message : messages)
      arrows += topology->extents().size() < 2 ? 1 : static_cast<int>(message.route.size());
    EXPECT_EQ(count(svg, "url(#head"), arrows) << name;
  }
}

TEST(Svg, EqualStepsAreOnePanel) {
  const auto line = machine::parse_topology("line:6");
  const auto ring = messages_on(*line, Operation::allreduce, "ring");
  const std::string svg = rounds_svg(ring, *line, "ring");
  EXPECT_EQ(count(svg, "<circle"), 6);
  EXPECT_EQ(count(svg, ">steps 1 to 10 (x 10): 6 messages each, at most 1 on a link<"), 1);
  EXPECT_EQ(rounds_text(ring, *line).find("(x 10)"), std::string("steps 1 to 10 ").size());
}

// A picture that does not fit a screen at its own size is shown smaller, and whole if asked for.
TEST(Svg, FitsAScreen) {
  const auto mesh = machine::parse_topology("mesh:4x4");
  const auto messages = messages_on(*mesh, Operation::alltoall, "linear");
  const Chart chart = chart_of(messages, *mesh, Marks::schedule);
  const auto fits = [](const std::string& svg, const char* what) {
    std::smatch size;
    const std::regex pattern(std::string(what) + "\"(?:0 0 )?([0-9]+)\"? (?:height=\")?([0-9]+)\"");
    return std::regex_search(svg, size, pattern) && std::stoi(size[1]) <= 1600 &&
           std::stoi(size[2]) <= 1200;
  };
  EXPECT_TRUE(fits(chart_svg(chart, *mesh, "chart"), "viewBox="));
  EXPECT_FALSE(fits(chart_svg(chart, *mesh, "chart", Fit::full), " width="));
  const std::string rounds = rounds_svg(messages, *mesh, "rounds");
  EXPECT_FALSE(fits(rounds, "viewBox="));
  EXPECT_TRUE(fits(rounds, " width="));
  EXPECT_FALSE(fits(rounds_svg(messages, *mesh, "rounds", Fit::full), " width="));
}

// Low rows have no numbers, so a sentence says what their cells mean. Where they show which links
// are used, it names the picture in which few links are not lost among many cells.
TEST(Svg, LowChartsSayWhatCellsMean) {
  const auto mesh = machine::parse_topology("mesh:4x4");
  const auto messages = messages_on(*mesh, Operation::alltoall, "linear");
  const auto svg = [&](Marks marks, Fit fit) {
    return chart_svg(chart_of(messages, *mesh, marks), *mesh, "chart", fit);
  };
  expect_inside(svg(Marks::usage, Fit::screen));
  EXPECT_EQ(count(svg(Marks::usage, Fit::screen), "--as rounds counts the messages"), 1);
  EXPECT_EQ(count(svg(Marks::schedule, Fit::screen), "The lightest cells are step 1"), 1);
  for (const Marks marks : {Marks::usage, Marks::schedule})
    EXPECT_EQ(count(svg(marks, Fit::full), "ells "), 0);
}

TEST(Svg, NodesDoNotCoverEachOther) {
  for (const char* name : {"line:5", "mesh:3x4", "hypercube:3", "hypercube:4", "hypercube:7",
                           "mesh:4x4x4", "mesh:2x3x4"}) {
    const auto topology = machine::parse_topology(name);
    const std::string svg = rounds_svg(traffic::routed({{1, 0, 1}}, *topology), *topology, name);
    std::vector<std::pair<double, double>> circles;
    const std::regex circle("cx=\"([0-9.]+)\" cy=\"([0-9.]+)\" r=\"12");
    for (auto it = std::sregex_iterator(svg.begin(), svg.end(), circle);
         it != std::sregex_iterator(); ++it)
      circles.emplace_back(std::atof((*it)[1].str().c_str()), std::atof((*it)[2].str().c_str()));
    ASSERT_EQ(static_cast<int>(circles.size()), topology->nodes());
    for (std::size_t i = 0; i < circles.size(); ++i)
      for (std::size_t j = 0; j < i; ++j)
        EXPECT_GT(
            std::hypot(circles[i].first - circles[j].first, circles[i].second - circles[j].second),
            24)
            << name;
  }
}

TEST(Svg, LoadsAreShown) {
  const auto mesh = machine::parse_topology("mesh:2x4");
  const std::string svg =
      rounds_svg(messages_on(*mesh, Operation::broadcast, "hypercube"), *mesh, "nearest first");
  EXPECT_EQ(count(svg, "fill=\"#d55e00\">2<"), 1);
}

TEST(Svg, HeatOfLinks) {
  for (const char* name : {"line:8", "mesh:3x4", "mesh:16x32", "hypercube:4", "torus:4x4"}) {
    const auto topology = machine::parse_topology(name);
    std::vector<double> loads(static_cast<std::size_t>(topology->nodes() * topology->ports()));
    const auto used = topology->route(0, topology->nodes() - 1);
    for (const machine::Link link : used)
      loads[static_cast<std::size_t>(topology->index(link))] = 5;
    const std::string svg = heat_svg({loads, "us"}, *topology, name);
    expect_well_formed(svg);
    expect_inside(svg);
    EXPECT_EQ(count(svg, "<circle"), topology->nodes());
    EXPECT_EQ(count(svg, "url(#head"), static_cast<int>(used.size())) << name;
    // Nodes at used links have numbers; three numbers stand at the scale, and three lines above.
    EXPECT_EQ(count(svg, "</text>"), static_cast<int>(used.size()) + 1 + 3 + 3) << name;
    EXPECT_EQ(count(svg, "stroke=\"#960014\""), static_cast<int>(used.size())) << name;
    EXPECT_EQ(count(svg, ">2.5<"), 1);
  }
  const auto crossbar = machine::parse_topology("crossbar:4");
  EXPECT_THROW((void)heat_svg({}, *crossbar, ""), base::Error);
  const auto large = machine::parse_topology("mesh:64x64");
  EXPECT_THROW((void)heat_svg({}, *large, ""), base::Error);
}

TEST(Svg, TimeLine) {
  TimeLine line;
  line.ranks = 3;
  line.end = 250;
  line.bars = {{0, Doing::send, 0, 100},
               {1, Doing::wait, 0, 90},
               {1, Doing::receive, 90, 120},
               {2, Doing::copy, 0, 7}};
  line.messages = {{0, 1, 0, 120}, {1, 2, 120, 250}};
  const std::string svg = timeline_svg(line, "three ranks");
  expect_well_formed(svg);
  expect_inside(svg);
  EXPECT_EQ(count(svg, "url(#head"), 2);
  EXPECT_EQ(count(svg, "fill=\"#0072b2\""), 2);  // one in the legend
  EXPECT_EQ(count(svg, ">combine<"), 0);         // no bar has this colour
  EXPECT_EQ(count(svg, ">time, 250 µs in all<"), 1);
  EXPECT_EQ(count(svg, ">250 µs<"), 0);
  EXPECT_EQ(count(svg, ">240 µs<"), 1);
  line.ranks = most_ranks_of_timeline + 1;
  EXPECT_THROW((void)timeline_svg(line, ""), base::Error);
  TimeLine nothing;
  nothing.ranks = 1;
  expect_inside(timeline_svg(nothing, "nothing happens"));
}

TEST(Svg, Surface) {
  const std::vector<Sample> samples = {
      {1, 1, 1000}, {4, 1, 300}, {1, 2, 500}, {4, 2, 200}, {16, 1, 100}};
  const std::string svg = surface_svg(samples, {{"size"}, {"count"}}, "surface");
  expect_well_formed(svg);
  expect_inside(svg);
  EXPECT_EQ(count(svg, "#d62728"), 1);  // the largest
  EXPECT_EQ(count(svg, "#fffae6"), 1);  // the smallest
  EXPECT_EQ(count(svg, ">300<"), 1);
  EXPECT_EQ(count(svg, ">16<"), 1);
  EXPECT_THROW((void)surface_svg({}, {}, ""), base::Error);
}

}  // namespace
}  // namespace tutti::draw
