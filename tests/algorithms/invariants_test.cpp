// SPDX-License-Identifier: BSD-3-Clause
// Checks the invariants of the generators on numbers: what they say that ranks hold is what the
// verifier sees there, before every round. The proofs for every p (study/prove/) rest on the same
// functions.
#include <gtest/gtest.h>

#include <vector>

#include "algorithms/circulant.hpp"
#include "algorithms/interval_halving.hpp"
#include "algorithms/registry.hpp"
#include "schedule/verifier.hpp"

namespace tutti {
namespace {

using schedule::Generator;
using schedule::Held;
using schedule::Operation;
using schedule::Rank;
using schedule::Shape;

constexpr int numbers_of_ranks[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 13, 16, 17, 31, 32, 33, 64};

// Looks at the states of one run.
class States {
 public:
  States(const Generator& g, const Shape& s) : generator_(g), shape_(s) {
    const schedule::Verdict verdict =
        schedule::verify(g, s, schedule::Placement::separate, &history_);
    EXPECT_EQ(verdict.problem, "");
    now_ = history_.start;
    if (g.operation != Operation::barrier) return;
    now_.assign(static_cast<std::size_t>(s.p * s.p), 0);
    for (int rank = 0; rank < s.p; ++rank) now_[static_cast<std::size_t>(rank * s.p + rank)] = 1;
  }

  // Rounds are checked in order.
  void check(int t) {
    if (t > 0) go_on(history_.rounds[static_cast<std::size_t>(t - 1)]);
    const bool barrier = generator_.operation == Operation::barrier;
    const bool exchange = generator_.operation == Operation::alltoall;
    const int parts = exchange  ? 2 * shape_.p
                      : barrier ? shape_.p
                                : generator_.buffers(shape_).parts;
    for (int part = 0; part < parts; ++part) {
      std::vector<int> times(static_cast<std::size_t>(shape_.p), 0);
      for (int rank = 0; rank < shape_.p; ++rank) {
        const Held held = generator_.invariant.held(shape_, Rank{rank}, t, part);
        if (!held.any) continue;
        if (exchange) {
          check_block(rank, part, held);
        } else if (barrier) {
          EXPECT_NE(news(rank, part), 0) << "rank " << rank << " has not heard of " << part;
        } else {
          check_value(rank, part, held, times);
        }
      }
      for (const int each : times) {
        EXPECT_TRUE(each == 1 || !generator_.commutative_only()) << "in sums of part " << part;
      }
    }
  }

 private:
  using Writes = std::vector<schedule::ScheduleHistory::Write>;

  // In a barrier a message tells all that its sender has heard before the round.
  void go_on(const Writes& writes) {
    const std::vector<schedule::Value> before = now_;
    const int news_of_rank = generator_.operation == Operation::barrier ? shape_.p : 0;
    for (const auto& write : writes) {
      for (std::size_t i = 0; i < write.cells.size(); ++i)
        now_[static_cast<std::size_t>(write.cells[i])] = write.values[i];
      for (const auto& source : write.sources)
        for (int other = 0; other < news_of_rank; ++other)
          if (before[static_cast<std::size_t>(source.rank * shape_.p + other)] != 0)
            now_[static_cast<std::size_t>(write.rank * shape_.p + other)] = 1;
    }
  }

  int news(int rank, int other) const {
    return now_[static_cast<std::size_t>(rank * shape_.p + other)];
  }

  // The block that a rank has for another, or that it has from another.
  void check_block(int rank, int part, const Held& held) const {
    const schedule::Memory& memory = *history_.memory;
    const int cell = memory.cell(rank, held.buffer, held.index);
    const int value = now_[static_cast<std::size_t>(cell)];
    ASSERT_NE(value, schedule::nothing) << "rank " << rank << " holds nothing of part " << part;
    const int p = shape_.p;
    EXPECT_EQ(memory.expressions().rank_of(value), part < p ? rank : part - p);
    EXPECT_EQ(memory.expressions().part_of(value), part < p ? part : rank);
  }

  void check_value(int rank, int part, const Held& held, std::vector<int>& times) {
    schedule::Memory& memory = *history_.memory;
    const int cell = memory.cell(rank, held.buffer, held.index);
    const int value = now_[static_cast<std::size_t>(cell)];
    ASSERT_NE(value, schedule::nothing) << "rank " << rank << " holds nothing of part " << part;
    int next = held.low;
    for (const int leaf : memory.expressions().leaves(value)) {
      EXPECT_EQ(memory.expressions().part_of(leaf), part);
      const int from = memory.expressions().rank_of(leaf);
      ++times[static_cast<std::size_t>(from)];
      if (in_order()) {
        EXPECT_EQ(from, next++);
      }
    }
    if (in_order()) {
      EXPECT_EQ(next, held.high);
    }
  }

  // Sums of intervals of ranks, in order.
  [[nodiscard]] bool in_order() const {
    return !generator_.commutative_only() &&
           (generator_.operation == Operation::scan || generator_.operation == Operation::exscan ||
            generator_.operation == Operation::allreduce);
  }

  const Generator& generator_;
  Shape shape_;
  schedule::ScheduleHistory history_;
  std::vector<schedule::Value> now_;  // values of all cells, or news, before the round
};

TEST(invariants, are_what_the_verifier_sees) {
  int generators = 0;
  for (const Generator* g : algorithms::all()) {
    if (g->invariant.held == nullptr) continue;
    ++generators;
    for (const int p : numbers_of_ranks) {
      for (const int root : {0, p / 2, p - 1}) {
        Shape s;
        s.p = p;
        s.root = root;
        if (!g->applies(s)) continue;
        SCOPED_TRACE(std::string(g->name) + ", p = " + std::to_string(p) +
                     ", root = " + std::to_string(root));
        States states(*g, s);
        for (int t = 0; t <= g->rounds(s); ++t) states.check(t);
        if (!has_root(g->operation)) break;
      }
    }
  }
  EXPECT_GE(generators, 13);
}

TEST(invariants, facts_are_true) {
  for (const Generator* g : algorithms::all()) {
    if (g->invariant.fact == nullptr) continue;
    for (const int p : numbers_of_ranks) {
      Shape s;
      s.p = p;
      for (int t = 0; t < g->rounds(s); ++t) EXPECT_TRUE(g->invariant.fact(s, t)) << g->name << p;
    }
  }
}

TEST(invariants, intervals_are_good_and_members_agree) {
  for (const algorithms::LeftHalf half : {algorithms::folded_half, algorithms::balanced_half}) {
    for (const int p : numbers_of_ranks) {
      for (const int holder : {0, p / 2, p - 1}) {
        for (int t = 0; t <= schedule::ceil_log2(p); ++t) {
          std::vector<algorithms::RankInterval> all;
          for (int me = 0; me < p; ++me) {
            all.push_back(algorithms::interval_of_round(p, holder, me, t, half));
            EXPECT_TRUE(is_good({0, p, holder, me, half}, t, all.back())) << p << ' ' << me;
          }
          for (const algorithms::RankInterval& a : all)
            for (const algorithms::RankInterval& b : all) EXPECT_TRUE(agree(a, b)) << p;
        }
      }
    }
  }
}

}  // namespace
}  // namespace tutti
