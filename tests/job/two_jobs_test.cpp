// SPDX-License-Identifier: BSD-3-Clause
// Joins two jobs in one process, with different tunings. Each of eight threads is a rank of the
// first job, and four of them are ranks of the second one, too. Nothing that one job does may be
// seen in the other, so all collectives run in both at the same time.
#include <gtest/gtest.h>

#include <cstring>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "algorithms/registry.hpp"
#include "job/job.hpp"
#include "oracle.hpp"

namespace tutti::job {
namespace {

using engine::test::Player;
using engine::test::Scene;
using engine::test::scenes_of;
using transport::shm::Mapping;

Mapping segment_of(int ranks, const char* tuning) {
  base::TuningSettings settings;
  settings.set_list(tuning, base::TuningSource::environment);
  return Mapping::create({.world_size = static_cast<std::uint32_t>(ranks),
                          .unsupervised = true,
                          .limit_bytes = std::int64_t{256} << 20,
                          .tuning = settings.values()});
}

// One rank of a job.
struct Rank {
  Rank(const Mapping& segment, int rank)
      : membership(launch::Membership::as_rank(Mapping::open(segment.descriptor()), rank)),
        job(membership, {}) {}
  Rank(const Rank&) = delete;
  Rank& operator=(const Rank&) = delete;
  ~Rank() {
    job.mailbox().close();
    job.free_windows();
    job.leave();
    membership.finalize();
  }

  launch::Membership membership;
  Job job;
};

// Returns what is wrong with the result of one algorithm; an empty text if nothing is.
std::string play(Rank& one, const Scene& scene) {
  Player player(scene, one.membership.id(), one.job.transport());
  player.run();
  const std::string verdict = player.verdict();
  return verdict.empty() ? verdict : describe(scene) + ": " + verdict;
}

// Sums the numbers of the ranks by the plan that the world's group chooses.
std::int64_t sum_of_ranks(Job& job) {
  engine::Group& world = *job.groups().find(job.groups().world());
  std::int64_t sum = world.rank() + 1;
  const engine::CallOperand operand{&sum, data::Layout::contiguous(1), sizeof sum};
  const auto op = data::Operator::of(data::Builtin::sum, data::Element::int64);
  engine::Plan& plan =
      world.chosen(schedule::Operation::allreduce,
                   {.root = 0, .bytes = sizeof sum, .commutative = true, .native_serves = false});
  world.run(plan, {&operand, &operand, &op, nullptr});
  return sum;
}

// Sends a message around the ring of ranks, and returns what has come.
int neighbour_of(Rank& one) {
  const int p = one.membership.world_size(), mine = one.membership.id();
  const int next = (mine + 1) % p, before = (mine + p - 1) % p;
  one.job.outbox().send(next, {7}, &mine, sizeof mine);
  const auto& arrival = one.job.mailbox().wait({before, {7}, services::whole_key});
  int got = -1;
  std::memcpy(&got, arrival.payload(), sizeof got);
  one.job.mailbox().take();
  return got - before;
}

class TwoJobs : public testing::Test {
 protected:
  static constexpr int large = 8, small = 4;

  // Runs the body as each rank of both jobs, in a thread for each rank of the larger one. `second`
  // is nullptr for a thread that is in one job only.
  template <class Body>
  void as_ranks(const Body& body) {
    std::vector<std::thread> threads;
    for (int rank = 0; rank < large; ++rank) {
      threads.emplace_back([&, rank] {
        Rank first(one_, rank);
        std::unique_ptr<Rank> second;
        if (rank < small) second = std::make_unique<Rank>(two_, rank);
        body(first, second.get());
      });
    }
    for (std::thread& thread : threads) thread.join();
  }

  const Mapping one_ = segment_of(large, "fragment=4K,overlap=1K,publish_every=2,spin=1us");
  const Mapping two_ = segment_of(small, "fragment=32K,spin=40us");
};

TEST_F(TwoJobs, HaveTheirOwnNumbers) {
  as_ranks([](Rank& first, Rank* second) {
    EXPECT_EQ(first.job.transport().tuning().fragment, 4 << 10);
    EXPECT_EQ(first.job.transport().limits().fragment, 4U << 10);
    EXPECT_EQ(first.job.transport().tuning().publish_every, 2);
    if (second == nullptr) return;
    EXPECT_EQ(second->job.transport().limits().fragment, 32U << 10);
    EXPECT_EQ(second->job.transport().tuning().spin, 40'000);
    EXPECT_EQ(second->membership.world_size(), small);
  });
}

TEST_F(TwoJobs, RunAllCollectivesInBoth) {
  std::vector<std::string> verdicts(large);
  as_ranks([&](Rank& first, Rank* second) {
    std::string& verdict = verdicts[static_cast<std::size_t>(first.membership.id())];
    const auto note = [&](const std::string& wrong) {
      if (verdict.empty()) verdict = wrong;
    };
    for (const schedule::Generator* generator : algorithms::all()) {
      const std::vector<Scene> scenes = scenes_of(*generator, large),
                               others = scenes_of(*generator, small);
      // Scenes with another distance in each list, so that different calls meet.
      for (std::size_t i = 0; i < scenes.size(); i += 7) {
        note(play(first, scenes[i]));
        if (second != nullptr && !others.empty())
          note(play(*second, others[i * 3 % others.size()]));
      }
    }
  });
  for (const std::string& verdict : verdicts) EXPECT_EQ(verdict, "");
}

TEST_F(TwoJobs, ChooseAndSendForThemselves) {
  as_ranks([](Rank& first, Rank* second) {
    for (int turn = 0; turn < 50; ++turn) {
      EXPECT_EQ(sum_of_ranks(first.job), large * (large + 1) / 2);
      EXPECT_EQ(neighbour_of(first), 0);
      if (second == nullptr) continue;
      EXPECT_EQ(neighbour_of(*second), 0);
      EXPECT_EQ(sum_of_ranks(second->job), small * (small + 1) / 2);
    }
  });
}

// The process may leave one job and go on in the other.
TEST_F(TwoJobs, AJobGoesOnWhenTheOtherHasEnded) {
  std::vector<std::thread> threads;
  for (int rank = 0; rank < small; ++rank) {
    threads.emplace_back([&, rank] {
      auto first = std::make_unique<Rank>(two_, rank);
      const Mapping other = Mapping::open(one_.descriptor());
      EXPECT_EQ(sum_of_ranks(first->job), small * (small + 1) / 2);
      first.reset();
      Rank second(one_, rank);
      Rank third(one_, rank + small);
      EXPECT_NE(second.membership.id(), third.membership.id());
    });
  }
  for (std::thread& thread : threads) thread.join();
}

}  // namespace
}  // namespace tutti::job
