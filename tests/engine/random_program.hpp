// SPDX-License-Identifier: BSD-3-Clause
// Draws random Programs for all ranks of a group and plays them on the engine, for the test that
// compares the verifier with the execution. Most of what is drawn moves blocks that are held to
// blocks of the same size, so the verifier accepts a large part of it.
#pragma once

#include <random>
#include <string>
#include <vector>

#include "schedule/generator.hpp"
#include "schedule/memory.hpp"

namespace tutti::engine::test {

struct RandomCase {
  schedule::Operation operation{};
  schedule::Shape shape;
  schedule::Buffers buffers;
  schedule::Placement placement{};
  std::vector<schedule::Program> programs;
};

[[nodiscard]] RandomCase random_case(std::mt19937& random);
[[nodiscard]] std::string to_text(const RandomCase& drawn);

struct Outcome {
  bool accepted = false;   // the verifier finds nothing wrong but the result
  std::string difference;  // between what it says and what the engine does; empty if there is none
};

// Verifies what the engine would execute, and executes it `plays` times with different data,
// queues and orders of events.
[[nodiscard]] Outcome compare(const RandomCase& drawn, int plays, std::mt19937& random);

// Executes it without asking the verifier. Returns true if the ranks wait for each other for ever
// in one of `plays` executions.
[[nodiscard]] bool may_wait_for_ever(const RandomCase& drawn, int plays, std::mt19937& random);

}  // namespace tutti::engine::test
