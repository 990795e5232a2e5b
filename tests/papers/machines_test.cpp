// SPDX-License-Identifier: BSD-3-Clause
// Checks statements of papers on their machines by simulated schedules: which links are shared and
// what that costs, and which library is ahead by how much.
#include <gtest/gtest.h>

#include <algorithm>

#include "algorithms/registry.hpp"
#include "papers/001/table2.hpp"
#include "schedule/printer.hpp"
#include "simulation/case.hpp"
#include "traffic/load.hpp"

namespace tutti::tools {
namespace {

using machine::Machine;
using schedule::Operation;

Outcome run(const Machine& machine, Operation operation, const std::string& algorithm,
            std::int64_t bytes) {
  Setting setting;
  setting.machine = machine;
  setting.operation = operation;
  setting.ranks = machine.network.topology->nodes();
  return simulated({algorithm, selection::parse_plan(operation, algorithm)}, setting,
                   Sizes{Sizes::Of::block, {bytes}}.extent(0, operation, setting.ranks));
}

// Returns the machine with a path of its own for every message.
Machine without_contention(Machine machine) {
  machine.network.topology =
      machine::parse_topology("crossbar:" + std::to_string(machine.network.topology->nodes()));
  return machine;
}

// Returns the largest number of messages on a link in each step.
std::vector<int> loads(const char* algorithm, const std::string& topology) {
  const auto network = machine::parse_topology(topology);
  const auto* generator = algorithms::find(Operation::broadcast, algorithm);
  const auto messages =
      traffic::routed(traffic::messages_of(*generator, {.p = network->nodes()}), *network);
  std::vector<int> most;
  for (const traffic::StepLoad& load : traffic::loads(messages, *network))
    most.push_back(load.most);
  return most;
}

// Paper 001, 3.2 and 3.3: partners are far apart from the beginning on, or only at the end.
TEST(Machines, HypercubeBroadcastOnAMeshSharesLinks) {
  EXPECT_EQ(loads("hypercube", "line:32"), (std::vector<int>{1, 2, 4, 8, 16}));
  EXPECT_EQ(loads("mst", "line:32"), (std::vector<int>(5, 1)));
  EXPECT_EQ(loads("mst", "mesh:16x32"), (std::vector<int>(9, 1)));
  const Machine machine = machine::load_machine("paragon-512-R1.2", {"mesh:16x32"});
  const Outcome cube = run(machine, Operation::broadcast, "hypercube", 65536);
  const Outcome tree = run(machine, Operation::broadcast, "mst", 65536);
  EXPECT_EQ(tree.report.contentions, 0);
  EXPECT_GT(cube.report.contentions, 0);
  EXPECT_GT(cube.report.time, 1.5 * tree.report.time);
}

// Paper 000, table 15, has the times of this exchange.
TEST(Machines, ParagonBidirectionalExchangeIsSlowerThanPredicted) {
  for (const char* name : {"paragon-nx", "paragon-512-R1.2"}) {
    for (const char* topology : {"mesh:4x8", "mesh:2x16"}) {
      const Machine machine = machine::load_machine(name, {topology});
      const auto slower = [&](const char* algorithm) {
        return run(machine, Operation::allreduce, algorithm, 80000).report.time /
               run(without_contention(machine), Operation::allreduce, algorithm, 80000).report.time;
      };
      const double exchange = slower("bidirectional_exchange"), tree = slower("tree");
      EXPECT_GT(exchange, 1.1);
      EXPECT_LT(tree, exchange);
    }
  }
}

// Paper 000, 7.2.4: another ring may use the cable while one ring combines.
TEST(Machines, OnABusMoreRingsCombineFaster) {
  Machine machine = machine::load_machine("ethernet", {"bus:64"});
  machine.node.ports = machine::Ports::duplex;  // only the cable is shared
  constexpr std::int64_t bytes = 65536;
  const auto time = [&](int rings) {
    return run(machine, Operation::reduce, "multiring:rings=" + std::to_string(rings), bytes)
        .report.time;
  };
  const auto gain = [&](int ratio) {
    machine.node.gamma = ratio * (machine.node.alpha + machine.node.beta * bytes) / bytes;
    return time(1) / time(ratio);
  };
  double before = 1.5;
  for (const int ratio :
       {2, 4, 8}) {  // the gain stays below the ratio, because the root combines alone at the end
    EXPECT_GT(gain(ratio), before) << ratio;
    EXPECT_LT(gain(ratio), ratio) << ratio;
    before = gain(ratio);
  }
  EXPECT_GT(gain(4), 2.5);
  machine.node.gamma = 0;
  EXPECT_LT(time(1) / time(4), 1.5);
}

struct Sides {
  Outcome blacs, one_factor, hybrid;
};

Machine with_rates_of_blacs(Machine machine) {
  machine.node.alpha = machine.profile.more.at("blacs_alpha").value;
  machine.node.beta = machine.profile.more.at("blacs_beta").value;
  machine.node.gamma = machine.profile.more.at("blacs_gamma").value;
  machine.node.send_alpha = machine.node.receive_alpha = machine.node.alpha;
  machine.node.send_beta = machine.node.receive_beta = machine.node.beta;
  machine.network.link_beta = machine.node.beta;
  return machine;
}

Sides sides_of(const Machine& machine, const papers::Table2Row& row) {
  const auto hybrid = [&](const Machine& on, const papers::Priced& priced) {
    return run(on, row.operation, "hybrid:" + priced.strategy, row.bytes);
  };
  return {hybrid(with_rates_of_blacs(machine), row.shortest), hybrid(machine, row.one_factor),
          hybrid(machine, row.hybrid)};
}

constexpr const char* both_releases[] = {"paragon-512-R1.2", "paragon-512-R1.3"};

// Paper 001, table 2, prints the ratios BLACS/iCC. They must agree within a fifth for each release
// that a profile describes.
TEST(Machines, Table2OutOfSimulatedSchedules) {
  for (const char* name : both_releases) {
    const Machine machine = machine::load_machine(name, {"mesh:16x32"});
    for (const papers::Table2Row& row : papers::table2(machine.profile)) {
      const Sides sides = sides_of(machine, row);
      const double simulated = sides.blacs.report.time / sides.one_factor.report.time;
      EXPECT_NEAR(simulated / row.printed, 1, 0.2)
          << name << ", " << schedule::to_text(row.operation) << ", " << row.bytes
          << " bytes: " << simulated;
    }
  }
}

// Compares the simulated with the predicted gain of all factors over one factor per dimension.
TEST(Machines, HybridsGainWhatIsPredicted) {
  for (const char* name : both_releases) {
    const Machine machine = machine::load_machine(name, {"mesh:16x32"});
    for (const papers::Table2Row& row : papers::table2(machine.profile)) {
      if (row.operation != Operation::allreduce || (row.bytes != 1024 && row.bytes != 65536))
        continue;
      const Sides sides = sides_of(machine, row);
      const double simulated = sides.one_factor.report.time / sides.hybrid.report.time;
      const double predicted = row.one_factor.time / row.hybrid.time;
      EXPECT_GT(simulated, 1.2);
      EXPECT_NEAR(simulated / predicted, 1, 0.15);
    }
  }
}

// Returns the time of broadcasts in all rows, or all columns, of the mesh at once.
double broadcast_in(const Machine& machine, bool rows, const char* algorithm, std::int64_t bytes) {
  simulate::Operations groups;
  for (int i = 0; i < (rows ? 16 : 32); ++i) {
    simulate::JobOperation& operation = groups.all.emplace_back();
    operation.generator = algorithms::find(Operation::broadcast, algorithm);
    operation.shape.p = rows ? 32 : 16;
    operation.bytes = bytes;
    for (int rank = 0; rank < operation.shape.p; ++rank)
      operation.nodes.push_back(rows ? 32 * i + rank : 32 * rank + i);
  }
  simulate::SimulatedJob job;
  job.phases.emplace_back(std::move(groups));
  return simulate::simulate(machine, job).time;
}

// Paper 001, figure 3: for long vectors iCC is also ahead within rows and columns, but by less than
// on the whole mesh. Its lead with the longest vectors is smaller for fewer nodes.
TEST(Machines, WithinRowsAndColumnsLessIsGained) {
  for (const char* name : both_releases) {
    const Machine icc = machine::load_machine(name, {"mesh:16x32"}),
                  blacs = with_rates_of_blacs(icc);
    for (const std::int64_t bytes : {65536, 1 << 20}) {
      const auto ratio = [&](bool rows) {
        return broadcast_in(blacs, rows, "mst", bytes) /
               std::min(broadcast_in(icc, rows, "mst", bytes),
                        broadcast_in(icc, rows, "scatter_allgather", bytes));
      };
      double whole = 0;
      for (const papers::Table2Row& row : papers::table2(icc.profile))
        if (row.operation == Operation::broadcast && row.bytes == bytes) {
          const Sides sides = sides_of(icc, row);
          whole = sides.blacs.report.time / sides.one_factor.report.time;
        }
      EXPECT_GT(ratio(false), 1.2);
      EXPECT_TRUE(bytes < 1 << 20 || ratio(true) > ratio(false));
      EXPECT_GT(whole, ratio(true));
    }
  }
}

}  // namespace
}  // namespace tutti::tools
