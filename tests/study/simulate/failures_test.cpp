// SPDX-License-Identifier: BSD-3-Clause
// Tests jobs that do not end or make no sense: the error is named, and the simulator neither
// crashes nor hangs. The last tests fix results that must not change.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <sstream>

#include "base/error.hpp"
#include "machines.hpp"
#include "simulate/text.hpp"

namespace tutti::simulate {
namespace {

using machine::Machine;
using machine::Ports;
using machine::Switching;
using schedule::Buffer;
using schedule::Rank;
using What = schedule::Operation;

std::string text_of(const std::function<void()>& what) {
  try {
    what();
  } catch (const base::Error& error) {
    return error.what();
  }
  return "no error";
}

JobOperation programs(int p, int rounds) {
  JobOperation operation;
  operation.shape.p = p;
  operation.buffers = {1, 1, 0, 1};
  operation.bytes = 100;
  operation.programs.assign(static_cast<std::size_t>(p),
                            schedule::Program(static_cast<std::size_t>(rounds)));
  return operation;
}

std::string run(const Machine& machine, const JobOperation& operation) {
  return text_of([&] { static_cast<void>(simulate(machine, job_of(operation))); });
}

TEST(Deadlock, ReceivesInACircle) {
  JobOperation circle = programs(3, 2);
  for (int rank = 0; rank < 3; ++rank) {
    auto& program = circle.programs[static_cast<std::size_t>(rank)];
    program[0].receive({{Buffer::output, 0}}, Rank{(rank + 1) % 3});
    program[1].send({{Buffer::input, 0}}, Rank{(rank + 2) % 3});
  }
  EXPECT_EQ(run(ipsc(2), circle),
            "nothing moves after 0 us: ranks wait in a circle: rank 0 (phase 1, round 1) waits for "
            "a message of 1 in round 1, rank 1 (phase 1, round 1) waits for a message of 2 in "
            "round 1, rank 2 (phase 1, round 1) waits for a message of 0 in round 1");
}

TEST(Deadlock, ReceiveWithoutSend) {
  JobOperation operation = programs(2, 1);
  operation.programs[1][0].receive({{Buffer::output, 0}}, Rank{0});
  EXPECT_EQ(run(ipsc(1), operation),
            "nothing moves after 0 us: rank 1 (phase 1, round 1) waits for a message of 0 in round "
            "1, which has finished");
}

TEST(Deadlock, SendWithoutReceive) {
  JobOperation operation = programs(2, 1);
  operation.programs[0][0].send({{Buffer::input, 0}}, Rank{1});
  EXPECT_EQ(run(ipsc(1), operation), "nobody receives the message 0->1 (phase 1, round 1)");
  Machine rendezvous = ipsc(1);
  rendezvous.protocol.handover = machine::Handover::rendezvous;
  operation.programs[1][0].receive({{Buffer::output, 0}}, Rank{0});
  operation.programs[1][0].receive({{Buffer::output, 0}}, Rank{0});
  EXPECT_NE(run(rendezvous, operation).find("rank 1 (phase 1, round 1) waits for a message of 0"),
            std::string::npos);
}

// Four messages go around a ring, each over two links. Each holds the link that the one before it
// needs.
TEST(Deadlock, WormsInARing) {
  JobOperation ring = programs(4, 1);
  for (int rank = 0; rank < 4; ++rank) {
    ring.programs[static_cast<std::size_t>(rank)][0].send({{Buffer::input, 0}},
                                                          Rank{(rank + 2) % 4});
    ring.programs[static_cast<std::size_t>(rank)][0].receive({{Buffer::output, 0}},
                                                             Rank{(rank + 2) % 4});
  }
  Machine machine = ipsc(2);
  machine.network.topology = machine::parse_topology("ring:4");
  EXPECT_EQ(run(machine, ring), "no error");
  machine.network.switching = Switching::wormhole;
  const std::string text = run(machine, ring);
  EXPECT_NE(text.find("messages wait for each other's links: 1->3 (phase 1, round 1) waits for "
                      "link 2->3, which 2->0 (phase 1, round 1) waits for link 3->0, which"),
            std::string::npos)
      << text;
}

TEST(BadJobs, AreNamed) {
  const Machine machine = ipsc(2);
  const auto job = [&](const SimulatedJob& made) {
    return text_of([&] { static_cast<void>(simulate(machine, made)); });
  };
  JobOperation exchange = operation(What::alltoall, "pairwise", {.p = 4}, 400);
  EXPECT_EQ(job({.nodes = 5, .phases = {}}), "5 nodes, but the machine has 4");
  EXPECT_EQ(job({.nodes = 0, .phases = {Computation{{1, 2}}}}),
            "phase 1: 2 times of computation for 4 nodes");
  EXPECT_EQ(job({.nodes = 0, .phases = {Computation{{-1}}}}),
            "phase 1: a computation of -1 microseconds");
  EXPECT_EQ(job({.nodes = 0, .phases = {Computation{{std::nan("")}}}}),
            "phase 1: a computation of nan microseconds");
  EXPECT_EQ(job({.nodes = 0, .phases = {Barrier{}, Operations{{exchange, exchange}}}}),
            "phase 2: node 0 takes part twice");
  exchange.nodes = {0, 1, 2, 4};
  EXPECT_EQ(job({.nodes = 4, .phases = {Operations{{exchange}}}}),
            "phase 1: rank 3 is node 4, but there are 4 nodes");
  exchange.nodes = {};
  exchange.bytes = -1;
  EXPECT_EQ(run(machine, exchange), "phase 1: a vector of -1 bytes");
  EXPECT_EQ(run(machine, operation(What::alltoall, "standard", {.p = 3}, 3)),
            "phase 1: standard is not defined for p = 3");
  JobOperation self = programs(2, 1);
  self.programs[1][0].send({{Buffer::input, 0}}, Rank{1});
  EXPECT_EQ(run(machine, self), "phase 1, round 1 (t = 0): rank 1 sends to itself");
  JobOperation outside = programs(2, 1);
  outside.programs[1][0].send({{Buffer::input, 1}}, Rank{0});
  EXPECT_EQ(run(machine, outside),
            "phase 1: a program names a block that its buffer does not have");
  JobOperation nobody = programs(2, 1);
  nobody.programs[1][0].send({{Buffer::input, 0}}, Rank{2});
  EXPECT_EQ(run(machine, nobody), "phase 1: a program names rank 2 of 2");
  Machine endless = machine;
  endless.node.beta = 1e300;
  EXPECT_NE(run(endless, operation(What::alltoall, "pairwise", {.p = 4}, 400)), "no error");
  Machine negative = machine;
  negative.node.alpha = -1;
  EXPECT_NE(run(negative, operation(What::alltoall, "pairwise", {.p = 4}, 400)), "no error");
}

std::string everything(const Report& report) {
  std::ostringstream out;
  out.precision(17);
  for (const RankTime& rank : report.ranks)
    out << rank.begin << ' ' << rank.end << ' ' << rank.sending << ' ' << rank.receiving << ' '
        << rank.waiting << '\n';
  for (const Contention& c : report.worst)
    out << to_text(c.blocked, {}) << to_text(c.blocking, {}) << c.link << ' ' << c.time << ' '
        << c.wait << '\n';
  for (const PathStep& step : report.path)
    out << step.node << ' ' << step.peer << ' ' << step.begin << '\n';
  out << report.contentions << ' ' << report.waited << ' ' << report.events << '\n';
  return out.str();
}

TEST(Determinism, SameSeedSameResult) {
  Machine machine = ipsc(6);
  machine.node.drift = 50;
  machine.node.noise = 5;
  JobOperation linear = operation(What::alltoall, "linear", {.p = 64}, 64 * 512);
  linear.posting = Posting::ahead;
  for (const auto switching :
       {Switching::circuit, Switching::share_max_min, Switching::store_and_forward}) {
    machine.network.switching = switching;
    const auto with = [&](std::uint64_t seed) {
      SimulationOptions options;
      options.seed = seed;
      return everything(simulate(machine, job_of(linear), options));
    };
    EXPECT_EQ(with(7), with(7));
    EXPECT_NE(with(7), with(8));
  }
}

// The slowest path must lead from the start to the end without a gap.
TEST(SlowestPath, HasNoGap) {
  JobOperation tree = operation(What::reduce, "mst", {.p = 32}, 1000);
  const Report report = simulate(ipsc(5), job_of(tree));
  ASSERT_TRUE(report.path_whole);
  double at = 0;
  int messages = 0;
  for (const PathStep& step : report.path) {
    EXPECT_EQ(step.begin, at);
    at = step.end;
    messages += step.kind == PathStep::Kind::message ? 1 : 0;
  }
  EXPECT_EQ(at, report.time);
  EXPECT_GT(messages, 0);
  SimulationOptions few;
  few.history = 1;
  const Report cut = simulate(ipsc(5), job_of(tree), few);
  EXPECT_FALSE(cut.path_whole);
  EXPECT_EQ(cut.time, report.time);
}

// Groups run at the same time and skew is carried over. Rows and then columns are one operation
// after the other for every rank.
TEST(Groups, RowsThenColumns) {
  const Machine machine = plain(12, 100, 0.5, 0);
  Operations rows, columns;
  for (int r = 0; r < 3; ++r) {
    rows.all.push_back(operation(What::broadcast, "mst", {.p = 4}, 1000));
    rows.all.back().nodes = {4 * r, 4 * r + 1, 4 * r + 2, 4 * r + 3};
  }
  for (int c = 0; c < 4; ++c) {
    columns.all.push_back(operation(What::broadcast, "mst", {.p = 3}, 1000));
    columns.all.back().nodes = {c, c + 4, c + 8};
  }
  const Report report = simulate(machine, SimulatedJob{.nodes = 12, .phases = {rows, columns}});
  EXPECT_NEAR(report.time, 4 * (100 + 500), 1e-9);
  EXPECT_EQ(report.messages, 3 * 3 + 4 * 2);
}

}  // namespace
}  // namespace tutti::simulate
