// SPDX-License-Identifier: BSD-3-Clause
// The implementations of the complete exchange on the iPSC/860 (paper 004, section 5, and the
// multiphase exchange of its section 7): an algorithm with a type of messages and a way to
// synchronise.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "machine/machine.hpp"
#include "simulate/job.hpp"

namespace tutti::tools {

// How ranks synchronise: not at all, by a barrier before the first message, or by that and pair by
// pair before they exchange messages.
enum class Sync { none, barrier, pair };
[[nodiscard]] const char* to_text(Sync sync);
// Throws base::Error(invalid_argument).
[[nodiscard]] Sync sync_named(const std::string& text);

// What a node does in a step in which it does not send: it goes on, or it waits as long as a
// transmission takes.
enum class Pauses { none, as_long_as_a_send };

struct Implementation {
  // Whether all dimensions are exchanged at once, one after the other, or as a partition of them
  // says.
  enum class Phases { one, dimensions, partition };
  const char* name;
  const char* algorithm;  // of one phase
  Phases phases;
  machine::Handover handover;
  Sync sync;
  Pauses pauses = Pauses::none;
};
[[nodiscard]] std::span<const Implementation> implementations();

// An implementation, and for multiphase the dimensions of its phases: 3+2.
struct Exchange {
  const Implementation* implementation = nullptr;
  std::vector<int> partition;

  [[nodiscard]] std::string name() const;
};

// "pairwise_F", "multiphase_F:3+2". Throws base::Error(invalid_argument) that lists the names there
// are.
[[nodiscard]] Exchange exchange_named(const std::string& text);

// All partitions of a number, the parts falling; the first is the number itself.
[[nodiscard]] std::vector<std::vector<int>> partitions(int number);

// A machine and what happens on it. A job refers to `factors`, so it moves but is not copied.
struct Scene {
  machine::Machine machine;
  std::vector<int> factors;
  simulate::Job job;

  Scene() = default;
  Scene(Scene&&) = default;
  Scene& operator=(Scene&&) = default;
  Scene(const Scene&) = delete;
  Scene& operator=(const Scene&) = delete;
};

// On the first `ranks` nodes, a power of two, with `block` bytes from each rank for each other.
[[nodiscard]] Scene scene_of(const Exchange& exchange, const machine::Machine& machine, int ranks,
                             std::int64_t block, Sync sync);

// What the laws of paper 004 and of the report on multiphase exchange make of the machine's
// numbers, in microseconds: no message waits for another, and sends and receives go on at once.
[[nodiscard]] double formula_of(const Exchange& exchange, const machine::Machine& machine,
                                int ranks, std::int64_t block, Sync sync);

// What a barrier costs when all have come.
[[nodiscard]] double barrier_time(const machine::Machine& machine);

}  // namespace tutti::tools
