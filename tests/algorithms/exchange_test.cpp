// SPDX-License-Identifier: BSD-3-Clause
// Compares the complete exchanges with paper 004: the partners in each step of its figures, its
// statements on links of a hypercube with e-cube routing, and which algorithms are special cases of
// others.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "algorithms/registry.hpp"
#include "schedule/printer.hpp"
#include "schedule/verifier.hpp"

namespace tutti {
namespace {

using schedule::Generator;
using schedule::Operation;
using schedule::Rank;
using schedule::Shape;

const Generator& alltoall(const char* name) {
  return *algorithms::find(Operation::alltoall, name);
}

// Returns (receiver, round) for each message that `rank` sends, in order. Rounds are counted from
// 1.
std::vector<std::pair<int, int>> sends_of(const Generator& g, const Shape& s, int rank) {
  std::vector<std::pair<int, int>> sends;
  for (int t = 0; t < g.rounds(s); ++t) {
    schedule::Round round;
    g.emit(round, s, Rank{rank}, t);
    for (const schedule::Op& op : round.ops)
      if (op.what == schedule::Do::send) sends.emplace_back(op.to.first, t + 1);
  }
  return sends;
}

// Returns the rows of a figure, one word per sender. Its digits are the steps in which it sends to
// rank 0, 1, ...; the digit for itself is 0.
std::string figure(const char* name) {
  constexpr Shape eight{.p = 8};
  std::string text;
  for (int rank = 0; rank < eight.p; ++rank) {
    std::string row(8, '0');
    for (const auto& [to, step] : sends_of(alltoall(name), eight, rank))
      row[static_cast<std::size_t>(to)] = static_cast<char>('0' + step);
    text += (rank > 0 ? " " : "") + row;
  }
  return text;
}

TEST(Exchange, Figure7IsLinear) {
  EXPECT_EQ(figure("linear"),
            "01234567 70123456 67012345 56701234 45670123 34567012 23456701 12345670");
}
TEST(Exchange, Figure8IsNotPairwiseButTheCircle) {
  EXPECT_EQ(figure("pairwise"),
            "01234567 10325476 23016745 32107654 45670123 54761032 67452301 76543210");
  EXPECT_EQ(figure("circle"),
            "01234567 10526374 25063741 32607415 46370152 53741026 67415203 74152630");
}
TEST(Exchange, Figure9IsStable) {
  EXPECT_EQ(figure("stable"),
            "01234567 60812345 45078123 23406781 12340678 78123056 56781204 34567810");
}

using Link = std::pair<int, int>;

// Returns the links of the e-cube route, which corrects dimensions from the lowest to the highest.
std::set<Link> route(int from, int to) {
  std::set<Link> links;
  for (int bit = 1; from != to; bit *= 2) {
    if (((from ^ to) & bit) == 0) continue;
    links.emplace(from, from ^ bit);
    from ^= bit;
  }
  return links;
}

// Returns the rounds in which messages use each link, one entry per message.
std::map<Link, std::multiset<int>> link_use(const char* name, int p) {
  std::map<Link, std::multiset<int>> use;
  for (int rank = 0; rank < p; ++rank)
    for (const auto& [to, step] : sends_of(alltoall(name), {.p = p}, rank))
      for (const Link& link : route(rank, to)) use[link].insert(step);
  return use;
}

TEST(Exchange, NoContentionWhereThePaperSaysSo) {
  for (const int p : {2, 4, 8, 16, 32, 64}) {
    for (const char* name : {"linear", "pairwise", "stable", "standard"})
      for (const auto& [link, steps] : link_use(name, p))
        for (const int step : steps)
          ASSERT_EQ(steps.count(step), 1U) << name << " p=" << p << " step " << step;
    for (const auto& [link, steps] : link_use("stable", p))
      for (const int step : steps)
        ASSERT_FALSE(steps.contains(step + 1)) << "p=" << p << " step " << step;
  }
}

// Returns the number of steps if a link carries one message at a time and the lowest rank goes
// first.
int contended_steps(const char* name, int p) {
  std::vector<std::vector<std::pair<int, int>>> left;
  for (int rank = 0; rank < p; ++rank) left.push_back(sends_of(alltoall(name), {.p = p}, rank));
  int step = 0;
  for (std::set<Link> used;
       std::any_of(left.begin(), left.end(), [](auto& l) { return !l.empty(); }); used.clear()) {
    ++step;
    for (int rank = 0; rank < p; ++rank) {
      auto& sends = left[static_cast<std::size_t>(rank)];
      if (sends.empty()) continue;
      const std::set<Link> path = route(rank, sends.front().first);
      if (std::any_of(path.begin(), path.end(),
                      [&](const Link& link) { return used.contains(link); }))
        continue;
      used.insert(path.begin(), path.end());
      sends.erase(sends.begin());
    }
  }
  return step;
}

TEST(Exchange, NaiveTakesHalfAsLongAgain) {
  for (const int p : {4, 8, 16, 32, 64}) EXPECT_EQ(contended_steps("naive", p), 3 * p / 2 - 2) << p;
  EXPECT_EQ(contended_steps("linear", 64), 63);
}

void expect_same(const char* one, const Shape& shape_of_one, const char* other,
                 const Shape& shape_of_other) {
  for (int rank = 0; rank < shape_of_one.p; ++rank)
    ASSERT_EQ(to_text(build(alltoall(one), shape_of_one, Rank{rank})),
              to_text(build(alltoall(other), shape_of_other, Rank{rank})))
        << "p=" << shape_of_one.p << " rank " << rank;
}

TEST(Exchange, MultiphaseSpansFromStandardToPairwise) {
  for (int p = 2; p <= 64; ++p) {
    const int whole[] = {p};
    expect_same("multiphase", {.p = p, .factors = whole}, "pairwise", {.p = p});
    const std::vector<int> twos(static_cast<std::size_t>(schedule::ceil_log2(p)), 2);
    const Shape cube{.p = p, .factors = twos};
    ASSERT_EQ(alltoall("multiphase").applies(cube), alltoall("standard").applies({.p = p}));
    if (alltoall("multiphase").applies(cube)) expect_same("multiphase", cube, "standard", {.p = p});
  }
}

// Compares the volumes with paper 004, 4.3, also for algorithms in which a block travels several
// times.
TEST(Exchange, Volumes) {
  const auto volume = [](const char* name, const Shape& s) {
    return verify(alltoall(name), s).counts.volume / s.p;
  };
  for (const auto& [p, blocks] : {std::pair{8, 12}, std::pair{9, 13}, std::pair{16, 32}})
    EXPECT_EQ(volume("bruck", {.p = p}), blocks);
  EXPECT_EQ(volume("standard", {.p = 64}), 64 / 2 * 6);
  const int factors[] = {8, 8};
  EXPECT_EQ(volume("multiphase", {.p = 64, .factors = factors}), 2 * 7 * 8);
}

TEST(Exchange, OneMessageAtATime) {
  for (const int p : {3, 8, 13, 16}) {
    for (const char* name : {"linear", "pairwise", "stable", "circle", "bruck"})
      EXPECT_TRUE(verify(alltoall(name), {.p = p}).one_port) << name;
    for (const char* name : {"naive", "direct"})
      EXPECT_FALSE(verify(alltoall(name), {.p = p}).one_port) << name;
  }
}

// The description of a message is short, however many blocks the message has.
TEST(Exchange, ProgramsAreShort) {
  const int factors[] = {2, 3, 7, 24};
  for (const auto& [name, shape] :
       {std::pair{"bruck", Shape{.p = 1008, .branches = 3}}, std::pair{"bruck", Shape{.p = 1009}},
        std::pair{"standard", Shape{.p = 1024}},
        std::pair{"multiphase", Shape{.p = 1008, .factors = factors}}}) {
    for (const schedule::Round& round : build(alltoall(name), shape, Rank{shape.p / 3}))
      for (const schedule::Op& op : round.ops) ASSERT_LE(op.blocks.size(), 2U) << name;
  }
}

}  // namespace
}  // namespace tutti
