// SPDX-License-Identifier: BSD-3-Clause
// Small wrong changes to what a generator emits, in all rounds of all ranks at once. The prover
// must prove none of them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "schedule/generator.hpp"

namespace tutti::prove {

struct Mutation {
  enum class Kind {
    partner,
    first_block,
    block_count,
    other_buffer,
    swap_operands,
    drop_operation,
    other_round,
    fewer_rounds
  };
  Kind kind{};
  int operation = 0;  // the operation of each round that is changed, if there are so many
  int by = 1;
  [[nodiscard]] std::string text() const;
};

// Returns mutations of the generator's operations, always in the same order.
std::vector<Mutation> mutations();

// Returns a generator that emits what this one does, changed. Only the one returned last works.
schedule::Generator mutant_of(const schedule::Generator& generator, const Mutation& mutation);

}  // namespace tutti::prove
