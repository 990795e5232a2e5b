// SPDX-License-Identifier: BSD-3-Clause
// What is simulated: phases one after the other, each of them operations of groups, a barrier, or
// computation. Nothing synchronises ranks between two phases but what the phases themselves do:
// skew is carried over.
#pragma once

#include <cstdint>
#include <variant>
#include <vector>

#include "schedule/generator.hpp"

namespace tutti::simulate {

// When the receives of an operation are posted.
enum class Posting {
  by_round,  // those of a round when the rank begins it; it begins the next when its sends and
             // receives are done
  ahead  // all when the rank begins the operation. A round begins when the sends of the one before
         // are done; a round that sends anything but the input waits for all messages of the rounds
         // before it (paper 004, section 5)
};

// Whether copies within a rank cost time. Those of exchanges only serve exchanges in place.
enum class Copies { charged, free };

// One operation of one group.
struct JobOperation {
  const schedule::Generator* generator = nullptr;
  schedule::Shape shape{};  // `factors` must outlive the simulation
  // Instead of a generator, the Programs of all ranks with their buffers: schedules that have no
  // generator.
  std::vector<schedule::Program> programs{};
  schedule::Buffers buffers{};

  std::vector<int> nodes{};  // rank r of the group is node nodes[r]; empty: rank r is node r
  std::int64_t bytes = 0;    // of the whole vector
  int element = 1;           // bytes; the vector is cut between elements, as the engine does
  // Bytes of each rank's part, where these differ: then `bytes` is ignored.
  std::vector<std::int64_t> counts{};

  Posting posting = Posting::by_round;
  Copies copies = Copies::charged;
  // Two ranks that send to each other in a round synchronise before it, which takes what the
  // machine says.
  bool pairwise = false;
  // A round in which a rank neither sends nor receives takes it so long, microseconds (`stable`,
  // paper 004, section 5).
  double idle = 0;
};

// At the same time, on disjoint sets of nodes. Nodes that take part in none go on to the next
// phase.
struct Operations {
  std::vector<JobOperation> all;
};

// All nodes that take part in the job wait for each other, and then for what the machine says it
// costs.
struct Barrier {};

// Every rank works for so long, microseconds: an entry per node, or one for all.
struct Computation {
  std::vector<double> time;
};

using Phase = std::variant<Operations, Barrier, Computation>;

// The nodes that take part are those 0 .. nodes-1; 0: all nodes of the machine.
struct Job {
  int nodes = 0;
  std::vector<Phase> phases;
};

// A job of one operation on the first shape.p nodes.
[[nodiscard]] Job job_of(JobOperation operation);

}  // namespace tutti::simulate
