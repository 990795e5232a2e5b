// SPDX-License-Identifier: BSD-3-Clause
// Tests every generator for every p up to 64 and every shape of shapes.hpp, separate and in place.
// All roots are tried up to 24 processes, and four roots beyond; `make test-full` tries all of
// them. The result must be right, the operands in the order that the generator claims, and the cost
// that of its header. The engine executes normalized Programs, so these must have the same verdict,
// messages and combines. A shape is verified once for all that is asked of it.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <tuple>

#include "algorithms/registry.hpp"
#include "headers.hpp"
#include "schedule/canonical.hpp"
#include "schedule/normalize.hpp"
#include "schedule/printer.hpp"
#include "schedule/verifier.hpp"
#include "selection/formula.hpp"
#include "shapes.hpp"

namespace tutti {
namespace {

using schedule::Generator;
using schedule::Operation;
using schedule::Shape;

// Builds with a sanitizer are ten times slower, so they stop at smaller p.
#if defined(TUTTI_SANITIZED)
constexpr int largest_p = 24;
#else
constexpr int largest_p = 64;
#endif
constexpr int largest_p_of_every_root = 24;  // in `make test`
constexpr int largest_p_normalized_at_every_root = 17;

selection::Quantity quantity(schedule::Time t) {
  return {t.complete, t.operation, t.send, 0};
}
selection::Quantity quantity(std::int64_t number) {
  return {0, 0, 0, number};
}

// Returns the counted costs by the names that headers use.
std::map<std::string, selection::Quantity> counted(const schedule::Counts& c) {
  return {{"rounds", quantity(c.rounds)},  {"messages", quantity(c.messages)},
          {"volume", quantity(c.volume)},  {"combines", quantity(c.combines)},
          {"alpha", quantity(c.alpha)},    {"beta", quantity(c.beta)},
          {"gamma", quantity(c.gamma)},    {"root", quantity(c.root)},
          {"longest", quantity(c.longest)}};
}

// Compares counts with a header and remembers which bounds were reached.
class Checker {
 public:
  explicit Checker(const std::string& line) : costs_(line) {
    for (const auto& [name, formula] : costs_.given())
      if (formula.bound) unreached_.insert(name);
  }

  void shape(const Shape& s) {
    variables_ = selection::variables_of(s);
    one_ = s.p == 1;
    expected_.clear();
    done_.clear();
    if (one_) return;
    for (const auto& [name, formula] : costs_.given())
      if (name != "done") expected_[name] = costs_.evaluate(name, variables_);
  }

  // Returns an empty text if the counts agree, else the difference.
  std::string compare(const schedule::Counts& counts) {
    std::string text;
    for (const auto& [name, value] : counted(counts)) {
      const auto it = costs_.given().find(name);
      const selection::Quantity wanted =
          expected_.contains(name) ? expected_.at(name) : selection::Quantity{};
      const bool bound = it != costs_.given().end() && it->second.bound;
      if (value == wanted && !one_) unreached_.erase(name);
      if (bound ? value > wanted : value != wanted)
        text += fmt::format("{} is {}, stated {}; ", name, to_text(value), to_text(wanted));
    }
    return text + compare_done(counts);
  }

  const std::set<std::string>& unreached() const { return unreached_; }

 private:
  std::string compare_done(const schedule::Counts& counts) {
    std::string text;
    const bool is_bound = costs_.given().at("done").bound;
    bool reached = true;
    for (std::size_t i = 0; i < counts.done.size(); ++i) {
      if (done_.size() <= i) {
        variables_["i"] = static_cast<std::int64_t>(i);
        done_.push_back(costs_.evaluate("done", variables_).number);
      }
      const bool holds = is_bound ? counts.done[i] <= done_[i] : counts.done[i] == done_[i];
      reached = reached && counts.done[i] == done_[i];
      if (!holds) text += fmt::format("done[{}] is {}, stated {}; ", i, counts.done[i], done_[i]);
    }
    if (reached && !one_) unreached_.erase("done");
    return text;
  }

  selection::CostFormulas costs_;
  std::map<std::string, std::int64_t> variables_;
  std::map<std::string, selection::Quantity> expected_;
  std::vector<std::int64_t> done_;
  std::set<std::string> unreached_;
  bool one_ = false;
};

enum class Roots { some, every };

bool is_tried(int root, int p, Roots roots) {
  return roots == Roots::every || p <= largest_p_of_every_root || root <= 1 || root == p / 2 ||
         root == p - 1;
}

// Calls f for every p up to the largest, every shape, and the roots to try, and says whether the
// shape is one of the sample that is also normalized. All are if there are few.
template <class F>
void for_each_shape(const Generator& g, Roots roots, F f) {
  for (int p = 1; p <= largest_p; ++p) {
    const Shapes shapes = shapes_of(g, p);
    const std::size_t every = shapes.all.size() <= 4 * largest_parameter ? 1 : 5;
    for (std::size_t i = 0; i < shapes.all.size(); ++i) {
      Shape s = shapes.all[i];
      for (const int root : roots_of(g, s)) {
        if (!is_tried(root, p, roots)) continue;
        s.root = root;
        f(s, i % every == 0);
        if (testing::Test::HasFatalFailure()) return;
      }
    }
  }
}

bool combines_to_one_tree(Operation operation) {
  return operation == Operation::reduce || operation == Operation::allreduce ||
         operation == Operation::reduce_scatter;
}

class EveryGenerator : public testing::TestWithParam<std::tuple<const Generator*, Roots>> {
 protected:
  static const Generator& generator() { return *std::get<0>(GetParam()); }
  static Roots roots() { return std::get<1>(GetParam()); }
};

// Compares the normalized Programs with the verdict about those that the generator emits.
void is_the_same_normalized(const Generator& g, const Shape& s, const schedule::Verdict& raw) {
  if (s.p > largest_p_normalized_at_every_root && s.root != 0 && s.root != s.p / 2 &&
      s.root != s.p - 1)
    return;
  const std::vector<schedule::Program> programs = schedule::normalized_programs(g, s);
  for (const auto placement : {schedule::Placement::separate, schedule::Placement::in_place}) {
    schedule::Verdict verdict = schedule::verify(g.operation, s, g.buffers(s), programs, placement);
    schedule::check_order(g, verdict);
    ASSERT_TRUE(verdict.correct()) << describe(g, s) << ": " << verdict.problem;
    ASSERT_EQ(verdict.rank_order, raw.rank_order) << describe(g, s);
    ASSERT_EQ(verdict.same_tree, raw.same_tree) << describe(g, s);
    ASSERT_EQ(verdict.canonical, raw.canonical) << describe(g, s);
    ASSERT_TRUE(verdict.counts == raw.counts) << describe(g, s);
  }
}

void is_right_in_place(const Generator& g, const Shape& s) {
  const schedule::Buffers buffers = g.buffers(s);
  if (buffers.input == 0 || buffers.output == 0) return;
  const schedule::Verdict verdict = schedule::verify(g, s, schedule::Placement::in_place);
  ASSERT_TRUE(verdict.correct()) << describe(g, s) << ": " << verdict.problem;
}

// The verifier must find, too, whatever the quick look finds.
void is_not_taken_for_uncanonical(const Generator& g, const Shape& s, bool canonical) {
  if (!canonical || !combines_to_one_tree(g.operation)) return;
  ASSERT_TRUE(schedule::may_be_canonical(g, s)) << describe(g, s);
}

TEST_P(EveryGenerator, IsRightAndCostsWhatItSays) {
  const Generator& g = generator();
  const cost::Header header = cost::read_headers().at(full_name(g));
  const bool ordered_from_0 = header.needs.find("rank order for root 0") != std::string::npos;
  Checker checker(header.cost);
  bool always_in_order = true;
  for_each_shape(g, roots(), [&](const Shape& s, bool in_sample) {
    if (s.root == 0) checker.shape(s);
    const schedule::Verdict verdict = schedule::verify(g, s);
    ASSERT_TRUE(verdict.correct()) << describe(g, s) << ": " << verdict.problem;
    ASSERT_EQ(checker.compare(verdict.counts), "") << describe(g, s);
    ASSERT_TRUE(verdict.same_tree) << describe(g, s);
    ASSERT_TRUE(verdict.rank_order || !ordered_from_0 || s.root != 0) << describe(g, s);
    ASSERT_TRUE(verdict.counts.rounds == 0 || verdict.counts.done.back() == s.p) << describe(g, s);
    always_in_order = always_in_order && verdict.rank_order;
    ASSERT_NO_FATAL_FAILURE(is_right_in_place(g, s));
    ASSERT_NO_FATAL_FAILURE(is_not_taken_for_uncanonical(g, s, verdict.canonical));
    if (!in_sample) return;
    ASSERT_NO_FATAL_FAILURE(is_the_same_normalized(g, s, verdict));
  });
  EXPECT_EQ(always_in_order, !g.commutative_only());
  EXPECT_TRUE(checker.unreached().empty())
      << *checker.unreached().begin() << " is never as large as stated";
}

// Tests larger groups at some roots, because published generators were wrong first beyond the sizes
// that people try.
TEST_P(EveryGenerator, IsRightForSomeLargerGroups) {
  const Generator& g = generator();
  for (const int p : {65, 96, 127, 128, 129, 200}) {
    const Shapes shapes = shapes_of(g, p);
    const std::size_t every = shapes.all.size() > largest_parameter ? shapes.all.size() / 8 : 1;
    for (std::size_t i = 0; i < shapes.all.size(); i += every) {
      Shape s = shapes.all[i];
      if (std::max(s.branches, s.rings) % 4 != 1) continue;
      for (const int root : {0, p / 3, p - 1}) {
        s.root = root;
        const schedule::Verdict verdict = schedule::verify(g, s);
        ASSERT_TRUE(verdict.correct()) << describe(g, s) << ": " << verdict.problem;
        if (g.operation == Operation::alltoall || g.operation == Operation::barrier)
          break;  // no root in any of them
      }
    }
  }
}

// The quick look has to find most of those that combine in another order.
TEST(Trees, OfTheseAreFoundUncanonicalQuickly) {
  for (const char* name : {"ring", "direct", "direct_long", "circulant", "fully_connected",
                           "increasing_ring", "multiring", "tree"}) {
    for (const int p : {8, 17, 64, 4096}) {
      const Generator& g = *algorithms::find(Operation::allreduce, name);
      EXPECT_FALSE(schedule::may_be_canonical(g, {.p = p, .branches = 3, .rings = 2}))
          << name << " p=" << p;
    }
  }
}

// These reductions must give the same bits for any other choice.
TEST(Trees, OfTheseAreCanonical) {
  for (const auto& [operation, name] :
       {std::pair{Operation::reduce, "mst"}, std::pair{Operation::allreduce, "mst"},
        std::pair{Operation::allreduce, "bidirectional_exchange"}}) {
    const Generator& g = *algorithms::find(operation, name);
    for_each_shape(g, Roots::some, [&](const Shape& s, bool) {
      ASSERT_TRUE(schedule::verify(g, s).canonical) << describe(g, s);
    });
  }
}

std::string name_of(const testing::TestParamInfo<EveryGenerator::ParamType>& one) {
  return identifier(*std::get<0>(one.param));
}

auto all_with(Roots roots) {
  return testing::Combine(testing::ValuesIn(algorithms::all().begin(), algorithms::all().end()),
                          testing::Values(roots));
}

INSTANTIATE_TEST_SUITE_P(Algorithms, EveryGenerator, all_with(Roots::some), name_of);
INSTANTIATE_TEST_SUITE_P(Full, EveryGenerator, all_with(Roots::every), name_of);

}  // namespace
}  // namespace tutti
