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
    fewer_rounds,
    loop_begin,
    loop_end,
    loop_number,
    loop_twice,
    own_operand
  };
  Kind kind{};
  // The operation of each round that is changed, if there are so many. Where loops emit operations
  // it is a sort of operations (Do), all of which are changed.
  int operation = 0;
  int by = 1;
  bool of_sort = false;
  [[nodiscard]] std::string text() const;
};

// Returns mutations of the generator's operations and loops, always in the same order.
std::vector<Mutation> mutations(const schedule::Generator& generator);

// Returns a generator that emits what this one does, changed. Only the one returned last works.
schedule::Generator mutant_of(const schedule::Generator& generator, const Mutation& mutation);

}  // namespace tutti::prove
