// SPDX-License-Identifier: BSD-3-Clause
// Tests films of schedules: some expected texts, and for every algorithm the properties of all
// films.
#include "draw/film.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <set>
#include <sstream>
#include <tuple>

#include "algorithms/registry.hpp"
#include "draw/film_svg.hpp"
#include "draw/film_text.hpp"
#include "draw/rules.hpp"
#include "draw/sentences.hpp"
#include "golden.hpp"
#include "schedule/printer.hpp"
#include "traffic/message.hpp"

namespace tutti::draw {
namespace {

using schedule::Operation;
using schedule::Shape;

Film film(Operation operation, const char* name, int p) {
  Shape shape;
  shape.p = p;
  return film_of(*algorithms::find(operation, name), shape);
}

std::string text(Operation operation, const char* name, int p) {
  return film_text(film(operation, name, p), name, {80, true, false, false});
}

TEST(Films, Texts) {
  EXPECT_EQ(text(Operation::broadcast, "mst", 5), golden("film_mst_broadcast_5"));
  EXPECT_EQ(text(Operation::allgather, "circulant", 5), golden("film_circulant_allgather_5"));
  EXPECT_EQ(text(Operation::alltoall, "pairwise", 4), golden("film_pairwise_alltoall_4"));
  EXPECT_EQ(text(Operation::alltoall, "linear", 4), golden("film_linear_alltoall_4"));
  EXPECT_EQ(text(Operation::barrier, "dissemination", 5), golden("film_dissemination_barrier_5"));
  EXPECT_EQ(text(Operation::reduce, "scatter_gather", 4), golden("film_scatter_gather_reduce_4"));
}

TEST(Films, BitmapOfManyRanks) {
  const std::string svg = film_svg(film(Operation::allreduce, "ring", 32), "ring", Fit::screen);
  EXPECT_EQ(svg, golden("film_ring_allreduce_32"));
}

TEST(Films, EqualRoundsAreDrawnOnce) {
  const Film ring = film(Operation::allreduce, "ring", 8);
  std::vector<std::tuple<int, int, bool>> scenes;
  for (const Scene& scene : scenes_of(ring, 100))
    scenes.emplace_back(scene.round, scene.skipped, scene.alike);
  const std::vector<std::tuple<int, int, bool>> expected = {
      {0, 0, false}, {1, 0, false}, {5, 4, true},  {6, 0, false},
      {7, 0, false}, {8, 0, false}, {12, 4, true}, {13, 0, false}};
  EXPECT_EQ(scenes, expected);
  EXPECT_EQ(scenes_of(ring, 0).size(), 14U);
  const std::vector<Scene> few = scenes_of(ring, 4);
  ASSERT_EQ(few.size(), 4U);
  EXPECT_EQ(few[2].skipped, 11);
}

TEST(Films, SentencesFollowFromMessages) {
  EXPECT_EQ(sentences(film(Operation::reduce_scatter, "halving", 8)),
            std::vector<std::string>{
                "Rounds 1–3, in turn: ranks r and r\u00a0xor\u00a01, 2, 4 swap 4, 2, 1 "
                "blocks; each adds them to its own. Then every rank has its "
                "result."});
  EXPECT_EQ(sentences(film(Operation::reduce, "fully_connected", 4)),
            std::vector<std::string>{"Round 1: every other rank sends 1 block to rank 0, which "
                                     "adds it to its own. Then rank 0 has its result."});
  EXPECT_EQ(sentences(film(Operation::alltoall, "linear", 16)),
            std::vector<std::string>{
                "Rounds 1–15, in turn: every rank r sends 1 block to rank r\u00a0+\u00a01, "
                "r\u00a0+\u00a02, "
                "r\u00a0+\u00a03, ..., r\u00a0+\u00a015 (mod\u00a016), which keeps it. Then every "
                "rank has its result."});
}

TEST(Films, RoundsWithCopiesOnlyAreNamed) {
  Shape shape;
  shape.p = 8;
  shape.branches = 2;
  const Film tree = film_of(*algorithms::find(Operation::reduce, "tree"), shape);
  EXPECT_EQ(tree.rounds.front().number, 2);
  EXPECT_EQ(heading(tree).back(), "Not drawn, as ranks only copy: round 1.");
}

// A film of 128 ranks has four million cells, but few of them change in a round.
TEST(Films, KeepOnlyWhatChanges) {
  const Film ring = film(Operation::allreduce, "ring", 128);
  EXPECT_EQ(ring.rounds.size(), 254U);
  std::size_t changes = 0;
  for (const auto& round : ring.changes) changes += round.size();
  EXPECT_LE(changes, 254U * 128 * 4);
  Reel reel(ring);
  for (int rank = 0; rank < 128; ++rank) EXPECT_EQ(ring.complete(reel[254][at(rank)]), 128);
}

// ---- wrong schedules

// Rank 1 hands its block to rank 0 instead of rank 2 in the second round.
TEST(WrongFilms, EndAtTheRoundThatCannotBe) {
  const schedule::Generator& ring = *algorithms::find(Operation::allgather, "ring");
  const Shape shape{.p = 3};
  std::vector<schedule::Program> programs;
  for (int rank = 0; rank < 3; ++rank)
    programs.push_back(schedule::build(ring, shape, schedule::Rank{rank}));
  const int last = static_cast<int>(programs[1].size()) - 1;
  for (schedule::Op& op : programs[1].back().ops)
    if (op.what == schedule::Do::send) op.to = schedule::Ranks{0};
  const Film wrong =
      film_of(ring.operation, shape, ring.buffers(shape), programs, schedule::Placement::separate);
  ASSERT_TRUE(wrong.fault);
  EXPECT_EQ(wrong.rounds.back().number, last + 1);
  EXPECT_TRUE(wrong.wrong(wrong.rounds.size() - 1));
  EXPECT_EQ(std::pair(wrong.fault->from, wrong.fault->to), std::pair(1, 2));
  EXPECT_EQ(wrong.rounds.back().messages.size(), 3U);
  EXPECT_EQ(sentences(wrong).back(), "WRONG: " + wrong.fault->problem);
  const std::string plain = film_text(wrong, "wrong", {80, true, false, false});
  EXPECT_EQ(plain.find("\x1b"), std::string::npos);
  EXPECT_NE(film_text(wrong, "wrong", {80, true, false, true}).find("\x1b[1;31mWRONG: "),
            std::string::npos);
}

TEST(WrongFilms, MarkTheResult) {
  const schedule::Generator& ring = *algorithms::find(Operation::allgather, "ring");
  const Shape shape{.p = 3};
  std::vector<schedule::Program> programs;
  for (int rank = 0; rank < 3; ++rank) {
    programs.push_back(schedule::build(ring, shape, schedule::Rank{rank}));
    programs.back().pop_back();
  }
  const Film wrong =
      film_of(ring.operation, shape, ring.buffers(shape), programs, schedule::Placement::separate);
  ASSERT_TRUE(wrong.fault);
  EXPECT_EQ(wrong.fault->round, -1);
  EXPECT_EQ(wrong.fault->rank, 0);
  EXPECT_EQ(wrong.fault->slots, std::vector<int>{1});
}

// ---- every algorithm

void expect_all_messages(const schedule::Generator& generator, const Shape& shape,
                         const Film& film) {
  std::vector<std::tuple<int, int, std::int64_t>> drawn, sent;
  for (const Film::Round& round : film.rounds)
    for (const Film::Message& m : round.messages)
      drawn.emplace_back(m.from, m.to, static_cast<std::int64_t>(m.items.size()));
  for (const traffic::Message& m : traffic::messages_of(generator, shape))
    sent.emplace_back(m.from, m.to, m.blocks);
  if (generator.operation == Operation::barrier)
    for (auto& message : drawn) std::get<2>(message) = 0;
  std::sort(drawn.begin(), drawn.end());
  std::sort(sent.begin(), sent.end());
  EXPECT_EQ(drawn, sent);
}

// Returns the number of blocks that a rank wants in the end.
int wanted(const Film& film, int rank) {
  switch (film.operation) {
    case Operation::barrier:
      return film.p;
    case Operation::reduce:
    case Operation::gather:
      return rank == film.root ? film.parts : 0;
    case Operation::scatter:
    case Operation::reduce_scatter:
      return film.parts / film.p;
    case Operation::exscan:
      return rank == 0 ? 0 : film.parts;
    default:
      return film.parts;
  }
}

void expect_results(const Film& film) {
  EXPECT_FALSE(film.fault);
  Reel reel(film);
  const Film::Strip& last = reel[film.rounds.size()];
  for (int rank = 0; rank < film.p; ++rank) {
    EXPECT_EQ(film.wants(rank), wanted(film, rank));
    int complete = 0;
    for (const Film::Cell& cell : last[at(rank)])
      for (const Item& item : cell) {
        complete += item.state == State::complete;
        EXPECT_TRUE(item.state == State::complete || item.state == State::gone ||
                    item.state == State::empty);
      }
    EXPECT_EQ(complete, wanted(film, rank)) << rank;
  }
}

// A sent block is at the sender before; an arriving block is at the receiver after or not needed.
void expect_chips_are_held(const Film& film) {
  Reel reel(film);
  for (std::size_t t = 0; t < film.rounds.size(); ++t) {
    const Film::Strip& before = reel[t];
    for (const Film::Message& message : film.rounds[t].messages)
      for (const Item& sent : message.items) {
        bool held = false;
        for (const Film::Cell& cell : before[at(message.from)])
          for (const Item& item : cell)
            held = held || (item.content == sent.content && item.state == sent.state);
        EXPECT_TRUE(held) << "round " << film.rounds[t].number << " from " << message.from;
      }
  }
}

// An item is new if its rank did not hold it before the round, and only then.
void expect_news(const Film& film) {
  Reel reel(film);
  std::vector<std::set<int>> before(at(film.p));
  for (std::size_t t = 0; t <= film.rounds.size(); ++t) {
    const Film::Strip& strip = reel[t];
    for (int rank = 0; rank < film.p; ++rank) {
      std::set<int> now;
      for (const Film::Cell& cell : strip[at(rank)])
        for (const Item& item : cell) {
          if (item.content < 0) continue;
          now.insert(item.content);
          EXPECT_EQ(item.fresh, t > 0 && before[at(rank)].count(item.content) == 0) << t;
        }
      before[at(rank)] = std::move(now);
    }
  }
}

// Going back shows what was there before.
void expect_reel_goes_back(const Film& film) {
  Reel reel(film);
  static_cast<void>(reel[film.rounds.size()]);
  EXPECT_EQ(reel[0], film.start);
}

void expect_forms(const Film& film) {
  for (const std::size_t most : {60U, 80U, 120U}) {
    std::istringstream lines(film_text(film, "title", {most, false, false, false}));
    for (std::string line; std::getline(lines, line);) EXPECT_LE(width(line), most) << line;
    const std::string ascii = film_text(film, "title", {most, true, true, false});
    EXPECT_TRUE(std::all_of(ascii.begin(), ascii.end(), [](char c) { return c > 0; })) << ascii;
  }
}

int number_after(const std::string& text, const char* what) {
  return std::atoi(text.c_str() + text.find(what) + std::string(what).size());
}

void expect_size(const Film& film) {
  const std::string svg = film_svg(film, "title", Fit::screen);
  const char* const box = "viewBox=\"0 0 ";
  EXPECT_LE(number_after(svg, box), 1600);
  EXPECT_LE(std::atoi(svg.c_str() + svg.find(' ', svg.find(box) + std::string(box).size())), 1200);
}

class EveryAlgorithm : public testing::TestWithParam<int> {};

TEST_P(EveryAlgorithm, HoldsInvariants) {
  for (const schedule::Generator* generator : algorithms::all()) {
    Shape shape;
    shape.p = GetParam();
    shape.root = shape.p / 2;
    shape.branches = shape.rings = shape.segments = 2;
    if (!generator->applies(shape)) continue;
    SCOPED_TRACE(std::string(generator->name) + " " + std::to_string(shape.p));
    const Film film = film_of(*generator, shape);
    expect_all_messages(*generator, shape, film);
    expect_results(film);
    expect_chips_are_held(film);
    expect_news(film);
    expect_reel_goes_back(film);
    expect_forms(film);
    expect_size(film);
  }
}

INSTANTIATE_TEST_SUITE_P(Ranks, EveryAlgorithm, testing::Range(1, 17));

}  // namespace
}  // namespace tutti::draw
