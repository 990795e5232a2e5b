// SPDX-License-Identifier: BSD-3-Clause
// The job that is simulated: phases one after the other, each of them operations of groups, a
// barrier, or computation. Only the phases themselves synchronise ranks, so skew is carried from
// one phase to the next.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <variant>
#include <vector>

#include "schedule/generator.hpp"
#include "simulate/report.hpp"

namespace tutti::simulate {

// The time at which the receives of an operation are posted.
enum class Posting {
  by_round,  // receives of a round are posted when the rank begins it; the next round begins when
             // all its sends and receives are done
  ahead  // all are posted when the rank begins the operation. A round begins when the sends of the
         // round before are done. A round that sends anything but the input, or a message without
         // data, first waits for all messages of earlier rounds (paper 004, section 5).
};

// Tells if copies within a rank cost time. Copies of exchanges only serve exchanges in place.
enum class Copies { charged, free };

// One operation of one group.
struct JobOperation {
  const schedule::Generator* generator = nullptr;
  schedule::Shape shape{};  // its `factors` must outlive the simulation
  // Programs of all ranks with their buffers, for schedules that have no generator.
  std::vector<schedule::Program> programs{};
  schedule::Buffers buffers{};

  std::vector<int> nodes{};  // rank r of the group is node nodes[r]; empty: rank r is node r
  std::int64_t bytes = 0;    // length of the whole vector
  int element = 1;           // bytes of an element; blocks hold whole elements, as in the engine
  // Bytes of each rank's part, if the parts differ; `bytes` is then ignored.
  std::vector<std::int64_t> counts{};

  Posting posting = Posting::by_round;
  Copies copies = Copies::charged;
  // Two ranks that send to each other in a round synchronise before it, at the machine's cost.
  bool pairwise = false;
  // Microseconds that a round takes in which the rank neither sends nor receives (`stable`, paper
  // 004, section 5).
  double idle = 0;
};

// Operations that run at the same time on disjoint sets of nodes. A node without an operation goes
// on to the next phase.
struct Operations {
  std::vector<JobOperation> all;
};

// All nodes of the job wait for each other, and then for the machine's cost of a barrier.
struct Barrier {};

// Every rank computes for a time in microseconds: one entry for each node, or one for all.
struct Computation {
  std::vector<double> time;
};

using Phase = std::variant<Operations, Barrier, Computation>;

// The places of a job's nodes. Where hosts have several processors, each processor is a node of
// the job. All processors of a host share its place on the network and its network interfaces.
struct JobHosts {
  std::vector<int> place{};          // node of the machine, by node; empty: it has the same number
  std::vector<std::string> names{};  // of the nodes, for texts; empty: their numbers
  int interfaces = 1;                // of each host
  struct Ends {
    int sender = 0, receiver = 0;
  };
  std::map<Name, Ends> used{};  // interfaces of messages, where they are not 0 on both sides

  [[nodiscard]] int place_of(int node) const {
    return place.empty() ? node : place[static_cast<std::size_t>(node)];
  }
  [[nodiscard]] std::string name_of(int node) const {
    return names.empty() ? std::to_string(node) : names[static_cast<std::size_t>(node)];
  }
  [[nodiscard]] Ends ends_of(const Name& message) const {
    if (interfaces == 1) return {};
    const auto found = used.find(message);
    return found == used.end() ? Ends{} : found->second;
  }
};

// Nodes 0 to nodes-1 take part; 0 means all nodes of the machine.
struct SimulatedJob {
  int nodes = 0;
  std::vector<Phase> phases{};
  JobHosts hosts{};
};

// Returns a job of one operation on the first shape.p nodes.
[[nodiscard]] SimulatedJob job_of(JobOperation operation);

}  // namespace tutti::simulate
