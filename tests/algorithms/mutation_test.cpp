// SPDX-License-Identifier: BSD-3-Clause
// Checks that wrong changes to the schedule of every generator are noticed by the checks of the
// tests: the verifier's verdict, its counts and its trees. A change that is not noticed must be
// harmless for a reason that is checked here, and be listed in golden/survivors.txt. The present
// list is written to survivors.txt in the working folder.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <deque>
#include <fstream>
#include <random>
#include <set>

#include "algorithms/registry.hpp"
#include "mutants.hpp"
#include "schedule/normalize.hpp"
#include "schedule/printer.hpp"
#include "schedule/verifier.hpp"
#include "shapes.hpp"

namespace tutti {
namespace {

using schedule::Generator;
using schedule::Placement;
using schedule::Shape;
using schedule::Verdict;

constexpr unsigned seed = 1994;
constexpr int mutants_per_generator = 60;
constexpr int fewest_mutants = 300;
constexpr int numbers_of_ranks[] = {2, 3, 4, 5, 8};

Schedule schedule_of(const Generator& g, const Shape& s) {
  Schedule programs;
  for (int rank = 0; rank < s.p; ++rank) programs.push_back(build(g, s, schedule::Rank{rank}));
  return programs;
}

// The properties of a schedule that the other tests check.
struct Seen {
  bool correct = false;
  bool one_port = false, rank_order = false, same_tree = false, canonical = false;
  std::uint64_t trees = 0;
  std::vector<std::int64_t> counts;
  friend bool operator==(const Seen&, const Seen&) = default;
};

Seen look(const Generator& g, const Shape& s, const Schedule& programs) {
  Seen seen;
  for (const Placement placement : {Placement::in_place, Placement::separate}) {
    Verdict v = verify(g.operation, s, g.buffers(s), programs, placement);
    check_order(g, v);
    if (!v.correct()) return {};
    const schedule::Counts& c = v.counts;
    seen = {true,
            v.one_port,
            v.rank_order,
            v.same_tree,
            v.canonical,
            v.trees,
            {c.rounds, c.messages, c.volume, c.combines, c.alpha, c.beta, c.gamma}};
  }
  return seen;
}

// Returns round, sender, receiver and size of all messages. Schedules with equal messages load
// every link of every topology equally.
std::multiset<std::array<int, 4>> messages_of(const Schedule& programs) {
  std::multiset<std::array<int, 4>> messages;
  for (int rank = 0; rank < static_cast<int>(programs.size()); ++rank) {
    const schedule::Program& program = programs[static_cast<std::size_t>(rank)];
    for (int t = 0; t < static_cast<int>(program.size()); ++t) {
      for (const schedule::Op& op : program[static_cast<std::size_t>(t)].ops) {
        if (op.what != schedule::Do::send) continue;
        int size = 0;
        for (const schedule::Block& block : op.blocks) size += block.count * block.times;
        for (int i = 0; i < op.to.count; ++i) {
          const int to = op.to.first + i * op.to.stride;
          if (to != op.to.except) messages.insert({t, rank, to, size});
        }
      }
    }
  }
  return messages;
}

// Returns why a change that was not noticed does no harm, or an empty text without a reason.
std::string reason(const Schedule& original, const Schedule& mutant) {
  bool same = true;
  for (std::size_t rank = 0; rank < original.size(); ++rank)
    same = same && schedule::normalized(original[rank]) == schedule::normalized(mutant[rank]);
  if (same) return "identical Programs";
  if (messages_of(original) == messages_of(mutant)) return "identical trees and link loads";
  return "";
}

class Mutation {
 public:
  // Shapes and edits are drawn at random, but the same in every run.
  void run(const Generator& g) {
    std::mt19937 random(seed);
    std::deque<Shapes> owners;  // of factors
    std::vector<Shape> shapes;
    for (const int p : numbers_of_ranks) {
      for (const Shape& s : owners.emplace_back(shapes_of(g, p)).all)
        if (g.applies == nullptr || g.applies(s)) shapes.push_back(s);
    }
    for (int i = 0; i < mutants_per_generator && !shapes.empty(); ++i) {
      Shape s = shapes[random() % shapes.size()];
      const std::vector<int> roots = roots_of(g, s);
      s.root = roots[random() % roots.size()];
      const Schedule original = schedule_of(g, s);
      const std::vector<Edit> edits = edits_of(original);
      if (!edits.empty()) try_one(g, s, original, edits[random() % edits.size()]);
    }
    if (!shapes.empty()) ++families_;
  }

  [[nodiscard]] int tried() const { return tried_; }
  [[nodiscard]] int families() const { return families_; }
  [[nodiscard]] const std::set<std::string>& survivors() const { return survivors_; }

 private:
  void try_one(const Generator& g, const Shape& s, const Schedule& original, const Edit& edit) {
    const Schedule mutant = edited(original, edit);
    ++tried_;
    const Seen wanted = look(g, s, original);
    ASSERT_TRUE(wanted.correct) << describe(g, s);
    if (look(g, s, mutant) != wanted) return;
    const std::string why = reason(original, mutant);
    const std::string what = describe(g, s) + ": " + describe(original, edit);
    EXPECT_NE(why, "") << "not noticed, and not harmless: " << what;
    survivors_.insert(what + ": " + why);
  }

  int tried_ = 0, families_ = 0;
  std::set<std::string> survivors_;
};

std::set<std::string> listed() {
  std::set<std::string> lines;
  std::ifstream file(TUTTI_GOLDEN_DIR "/survivors.txt");
  for (std::string line; std::getline(file, line);)
    if (!line.empty() && line[0] != '#') lines.insert(line);
  return lines;
}

TEST(mutation, every_change_is_noticed_or_harmless_and_listed) {
  Mutation mutation;
  for (const Generator* g : algorithms::all()) mutation.run(*g);
  EXPECT_GE(mutation.tried(), fewest_mutants);
  EXPECT_EQ(mutation.families(), static_cast<int>(algorithms::all().size()));
  const std::set<std::string> known = listed();
  std::ofstream file("survivors.txt");
  for (const std::string& survivor : mutation.survivors()) file << survivor << '\n';
  for (const std::string& survivor : mutation.survivors())
    EXPECT_TRUE(known.contains(survivor)) << "not listed: " << survivor;
  for (const std::string& line : known)
    EXPECT_TRUE(mutation.survivors().contains(line)) << "listed but noticed: " << line;
  fmt::print("{} mutants of {} generators, {} survivors, seed {}\n", mutation.tried(),
             mutation.families(), mutation.survivors().size(), seed);
}

}  // namespace
}  // namespace tutti
