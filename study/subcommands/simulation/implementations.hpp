// SPDX-License-Identifier: BSD-3-Clause
// The implementations of the complete exchange on the iPSC/860 (paper 004, section 5, and the
// multiphase exchange of its section 7). Each is an algorithm with a type of messages and a way to
// synchronise.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "machine/machine.hpp"
#include "simulate/job.hpp"

namespace tutti::tools {

// How ranks synchronise: not at all, by a barrier before the first message, or by this barrier and
// additionally in pairs before the two ranks of a pair exchange messages.
enum class Sync { none, barrier, pair };
[[nodiscard]] const char* to_text(Sync sync);
// Throws base::Error(invalid_argument) if the text names none.
[[nodiscard]] Sync sync_named(const std::string& text);

// Behaviour of a node in a step in which it sends nothing: it continues, or it waits as long as a
// transmission takes.
enum class Pauses { none, as_long_as_a_send };

struct Implementation {
  // The dimensions that form a phase: all of them at once, each by itself, or as a partition says.
  enum class Phases { one, dimensions, partition };
  const char* name;
  const char* algorithm;  // name of the alltoall algorithm; used only if phases == Phases::one
  Phases phases;
  machine::Handover handover;
  Sync sync;
  Pauses pauses = Pauses::none;
};
[[nodiscard]] std::span<const Implementation> implementations();

// An implementation. For multiphase, `partition` has the dimensions of its phases, such as 3+2.
struct Exchange {
  const Implementation* implementation = nullptr;
  std::vector<int> partition;

  [[nodiscard]] std::string name() const;
};

// Reads a name such as "pairwise_F" or "multiphase_F:3+2". Throws base::Error(invalid_argument)
// that lists the names there are.
[[nodiscard]] Exchange exchange_named(const std::string& text);

// Returns all partitions of a number, each with its parts in falling order. The first one is the
// number itself.
[[nodiscard]] std::vector<std::vector<int>> partitions(int number);

// A machine and a job on it. The job refers to `factors`, so a scene can be moved but not copied.
struct Scene {
  machine::Machine machine;
  std::vector<int> factors;
  simulate::SimulatedJob job;

  Scene() = default;
  Scene(Scene&&) = default;
  Scene& operator=(Scene&&) = default;
  Scene(const Scene&) = delete;
  Scene& operator=(const Scene&) = delete;
};

// Says why the exchange is not defined for so many ranks; empty if it is.
[[nodiscard]] std::string why_undefined(const Exchange& exchange, int ranks);

// Builds the exchange on the first `ranks` nodes, a power of two, with `block` bytes from each rank
// for each other rank.
[[nodiscard]] Scene scene_of(const Exchange& exchange, const machine::Machine& machine, int ranks,
                             std::int64_t block, Sync sync);

// Evaluates the laws of paper 004 and of the report on multiphase exchange with the machine's
// numbers, in microseconds. They assume that no message waits for another, and that sends and
// receives overlap.
[[nodiscard]] double formula_of(const Exchange& exchange, const machine::Machine& machine,
                                int ranks, std::int64_t block, Sync sync);

// Returns the time of a barrier after the last rank has arrived.
[[nodiscard]] double barrier_time(const machine::Machine& machine);

}  // namespace tutti::tools
