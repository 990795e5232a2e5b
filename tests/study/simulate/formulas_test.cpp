// SPDX-License-Identifier: BSD-3-Clause
// Compares simulated times with times that are known otherwise: laws of one message, costs that the
// verifier counts, and statements of papers on their machines. Each expected time is computed from
// the machine, so it changes with it.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string_view>

#include "algorithms/registry.hpp"
#include "machines.hpp"
#include "schedule/printer.hpp"
#include "schedule/verifier.hpp"
#include "simulate/text.hpp"

namespace tutti::simulate {
namespace {

using machine::Handover;
using machine::Machine;
using machine::Ports;
using machine::Switching;
using schedule::Rank;
using schedule::Shape;
using What = schedule::Operation;

double time_of(const Machine& machine, const JobOperation& operation) {
  return simulate(machine, job_of(operation)).time;
}

// Returns one message of m bytes from node 0 to node `to`.
JobOperation one_message(int to, std::int64_t m) {
  JobOperation operation;
  operation.shape.p = to + 1;
  operation.buffers = {1, 1, 0, 1};
  operation.bytes = m;
  operation.programs.resize(static_cast<std::size_t>(to) + 1, schedule::Program(1));
  operation.programs[0][0].send({{schedule::Buffer::input, 0}}, Rank{to});
  operation.programs[static_cast<std::size_t>(to)][0].receive({{schedule::Buffer::output, 0}},
                                                              Rank{0});
  return operation;
}

class OneMessage : public testing::TestWithParam<Switching> {};

// By machine.hpp a message takes alpha + beta m + hop h with any switching. A packet is sent again
// on each further link.
TEST_P(OneMessage, Law) {
  for (const double change : {1.0, 1.1}) {
    Machine machine = ipsc(5, 10.3 * change);
    machine.network.switching = GetParam();
    machine.node.beta *= change;
    machine.network.link_beta = machine.node.beta;
    machine.network.packet = 1 << 20;
    for (const std::int64_t m : {0, 1, 100, 1000, 65536}) {
      for (const int to : {1, 3, 31}) {
        const bool bus = GetParam() == Switching::bus;
        const int links = bus ? 1 : __builtin_popcount(static_cast<unsigned>(to));
        const double bytes = machine.node.beta * static_cast<double>(m);
        const double repeated =
            GetParam() == Switching::store_and_forward ? (links - 1) * bytes : 0;
        EXPECT_NEAR(time_of(machine, one_message(to, m)),
                    95 + bytes + 10.3 * change * links + repeated, 1e-5);
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, OneMessage,
                         testing::Values(Switching::circuit, Switching::circuit_by_links,
                                         Switching::wormhole, Switching::share_equal,
                                         Switching::share_max_min, Switching::store_and_forward,
                                         Switching::bus));

// By paper 004, 2.2, two control messages precede a message. Up to the threshold there are none.
TEST(Protocols, ReserveCostsTwoControlMessages) {
  Machine machine = ipsc(7);
  machine.protocol.handover = Handover::reserve;
  machine.protocol.threshold = 100;
  machine.protocol.request_alpha = 34.5;
  for (const int d : {1, 4, 7}) {
    const int to = (1 << d) - 1;
    EXPECT_NEAR(time_of(machine, one_message(to, 100)), 95 + 0.394 * 100 + 10.3 * d, 1e-5);
    const double time = time_of(machine, one_message(to, 1000));
    EXPECT_NEAR(time, 95 + 0.394 * 1000 + 10.3 * d + 2 * (34.5 + 10.3 * d), 1e-5);
    // The expected time is the paper's law for these messages.
    EXPECT_NEAR(time / (164 + 0.398 * 1000 + 29.9 * d), 1, 0.06);
  }
}

// A request and its answer have start-ups, too, which noise makes longer.
TEST(Protocols, NoiseDelaysRequestsAndAnswers) {
  Machine machine = ipsc(1);
  machine.protocol.handover = Handover::reserve;
  machine.protocol.threshold = 100;
  machine.protocol.request_alpha = 34.5;
  const double alone = time_of(machine, one_message(1, 1000));
  machine.node.noise = 8;
  double most = 0;
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    const double late =
        simulate(machine, job_of(one_message(1, 1000)), {.seed = seed}).time - alone;
    EXPECT_GE(late, 0) << seed;
    EXPECT_LT(late, 3 * 8) << seed;
    most = std::max(most, late);
  }
  EXPECT_GT(most, 2 * 8);
}

TEST(Protocols, RendezvousWaitsForTheReceive) {
  Machine machine = ipsc(1);
  machine.protocol.handover = Handover::rendezvous;
  JobOperation operation = one_message(1, 1000);
  SimulatedJob job;
  job.phases = {Computation{{0, 700}}, Operations{{operation}}};
  EXPECT_NEAR(simulate(machine, job).time, 700 + 95 + 394 + 10.3, 1e-5);
  machine.protocol.handover = Handover::eager;
  EXPECT_NEAR(simulate(machine, job).time, 700, 1e-5);
  machine.protocol.handover = Handover::forced;
  try {
    static_cast<void>(simulate(machine, job));
    FAIL();
  } catch (const Failure& failure) {
    EXPECT_EQ(failure.kind(), Failure::Kind::lost);
  }
}

TEST(Protocols, BarriersAndPairs) {
  const Machine machine = ipsc(3);
  SimulatedJob job;
  job.phases = {Computation{{5, 1, 2, 3, 4, 9, 7, 8}}, Barrier{}};
  EXPECT_NEAR(simulate(machine, job).time, 9 + 3 * 150, 1e-9);
  JobOperation exchange = operation(What::alltoall, "pairwise", {.p = 8}, 8000);
  exchange.copies = Copies::free;
  exchange.pairwise = true;
  double expected = 0;
  for (const int hops : {1, 1, 2, 1, 2, 2, 3}) expected += 95 + 394 + 82.5 + 2 * 10.3 * hops;
  EXPECT_NEAR(time_of(machine, exchange), expected, 1e-5);
}

// The verifier's count is the simulated time if the network does not limit it. That holds for all
// algorithms whose ranks all do the same, or whose slowest rank is the slowest in every round.
constexpr std::string_view regular[] = {"allgather circulant",
                                        "allgather mst",
                                        "allgather neighbour_exchange",
                                        "allgather recursive_doubling",
                                        "allgather ring",
                                        "allreduce circulant",
                                        "allreduce decreasing_ring",
                                        "allreduce increasing_ring",
                                        "allreduce ring",
                                        "alltoall bruck",
                                        "alltoall direct",
                                        "alltoall linear",
                                        "alltoall pairwise",
                                        "alltoall standard",
                                        "barrier bidirectional_exchange",
                                        "barrier dissemination",
                                        "barrier fully_connected",
                                        "barrier mst",
                                        "barrier tree",
                                        "broadcast chain",
                                        "broadcast decreasing_ring",
                                        "broadcast fully_connected",
                                        "broadcast hypercube",
                                        "broadcast increasing_ring",
                                        "broadcast mst",
                                        "broadcast scatter_allgather",
                                        "broadcast scatter_doubling",
                                        "broadcast tree",
                                        "exscan linear",
                                        "gather fully_connected",
                                        "gather mst",
                                        "reduce circulant_gather",
                                        "reduce decreasing_ring",
                                        "reduce increasing_ring",
                                        "reduce scatter_gather",
                                        "reduce_scatter circulant",
                                        "reduce_scatter ring",
                                        "scan linear",
                                        "scatter fully_connected",
                                        "scatter mst"};

TEST(CountedCosts, OfRegularAlgorithms) {
  constexpr double alpha = 100, beta = 0.5, gamma = 0.25;
  std::size_t found = 0;
  for (const schedule::Generator* generator : algorithms::all()) {
    const std::string name =
        fmt::format("{} {}", schedule::to_text(generator->operation), generator->name);
    if (std::find(std::begin(regular), std::end(regular), name) == std::end(regular)) continue;
    ++found;
    for (int p = 1; p <= 64; ++p) {
      const Shape shape{.p = p, .branches = 2, .rings = 2, .segments = 4};
      if (!generator->applies(shape)) continue;
      const schedule::Counts counts = schedule::verify(*generator, shape).counts;
      JobOperation operation;
      operation.generator = generator;
      operation.shape = shape;
      const std::int64_t block = 1000;
      operation.bytes = block * std::max(1, generator->buffers(shape).parts);
      const double formula = alpha * static_cast<double>(counts.alpha) +
                             beta * static_cast<double>(block * counts.beta) +
                             gamma * static_cast<double>(block * counts.gamma);
      EXPECT_NEAR(time_of(plain(p, alpha, beta, gamma), operation), formula, 1e-5)
          << name << ", p = " << p;
    }
  }
  EXPECT_EQ(found, std::size(regular));
}

// By the clock of paper 000, chapters 4 and 5, a send takes Ts, each message is taken in Tc, and
// combining overlaps with taking.
TEST(CountedCosts, ClockOfRingsAndTrees) {
  Machine machine = plain(64, 10000, 0, 0);
  machine.node.send_alpha = 1;
  machine.node.gamma_alpha = 100;
  for (const auto& [what, name] :
       {std::pair{What::allreduce, "multiring"}, std::pair{What::reduce, "multiring"},
        std::pair{What::broadcast, "multiring"}, std::pair{What::broadcast, "tree"},
        std::pair{What::reduce, "fully_connected"}, std::pair{What::broadcast, "split_ring"},
        std::pair{What::allreduce, "fully_connected"}}) {
    for (int p = 1; p <= 64; ++p) {
      for (const int parameter : {1, 2, 3, 5}) {
        const Shape shape{.p = p, .branches = parameter, .rings = parameter};
        const schedule::Generator& generator = *algorithms::find(what, name);
        if (!generator.applies(shape)) continue;
        const schedule::Time longest = schedule::verify(generator, shape).counts.longest;
        EXPECT_NEAR(time_of(machine, operation(what, name, shape, 0)),
                    10000. * longest.complete + 100. * longest.operation + longest.send, 1e-5)
            << name << " " << p << " " << parameter;
      }
    }
  }
}

// A formula in beta, hop and gamma says how results change with the machine.
TEST(Scaling, ResultsFollowTheMachine) {
  const JobOperation ring = operation(What::allreduce, "ring", {.p = 8}, 8000);
  Machine machine = ipsc(3);
  machine.node.gamma = 0.05;
  Machine only_alpha = machine;
  only_alpha.node.beta = only_alpha.network.link_beta = only_alpha.node.send_beta =
      only_alpha.node.gamma = 0;
  only_alpha.network.hop = 0;
  const auto with = [&](double beta, double hop, double gamma) {
    Machine changed = machine;
    changed.node.beta = changed.network.link_beta = changed.node.send_beta = beta * 0.394;
    changed.network.hop = hop * 10.3;
    changed.node.gamma = gamma * 0.05;
    return time_of(changed, ring);
  };
  const double bare = time_of(only_alpha, ring);
  const double beta = with(1, 0, 0) - bare, gamma = with(1, 0, 1) - with(1, 0, 0);
  EXPECT_NEAR(bare, 14 * 95, 1e-5);
  EXPECT_NEAR(beta, 14 * 394, 1e-5);
  EXPECT_NEAR(gamma, 7 * 50, 1e-5);
  EXPECT_NEAR(with(1.1, 0, 0) - bare, 1.1 * beta, 1e-5);
  EXPECT_NEAR(with(1, 0, 1.1) - with(1, 0, 0), 1.1 * gamma, 1e-5);
  const double hop = with(1, 1, 1) - with(1, 0, 1);
  EXPECT_GT(hop, 0);
  EXPECT_NEAR(with(1, 1.1, 1) - with(1, 0, 1), 1.1 * hop, 0.01 * hop);
}

}  // namespace
}  // namespace tutti::simulate
