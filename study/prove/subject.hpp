// SPDX-License-Identifier: BSD-3-Clause
// What is to be proved: a generator with its invariant, for input and output in separate memory or
// in the same one.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "path.hpp"
#include "schedule/generator.hpp"

namespace tutti::prove {

using schedule::Block;
using schedule::Blocks;
using schedule::Buffer;
using schedule::Buffers;
using schedule::Generator;
using schedule::Held;
using schedule::Operation;
using schedule::Rank;
using schedule::Round;
using schedule::Shape;

// What the rounds of a stage do: they move data, spread news of arrivals, or add sums, of any ranks
// or of intervals of ranks in order.
enum class Kind { data, news, sums, ordered_sums };

// Consecutive rounds with one invariant. A composition has two stages.
struct Stage {
  Kind kind;
  Operation operation;
  std::function<Int(const Shape&)> rounds;
  std::function<Held(const Shape&, const Rank& me, const Int& t, const Int& part)> held;
  std::function<Truth(const Shape&, const Int& t)> fact;
  const char* lemma = "";
};

struct Subject {
  const Generator* generator;
  std::vector<Stage> stages;
  bool in_place = false;
};

// Returns the stages of a generator: from its own invariant, or from those of the generators it was
// made of. Throws Unsupported where there is none.
std::vector<Stage> stages_of(const Generator& generator);

}  // namespace tutti::prove
