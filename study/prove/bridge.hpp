// SPDX-License-Identifier: BSD-3-Clause
// The bridge between the prover's build and the product's: on numbers, both emit the same rounds.
#pragma once

#include <string>

#include "schedule/generator.hpp"

namespace tutti::prove {

// Prints a line for each number of ranks up to `most` (round_hash.hpp says which): a hash of all
// rounds, as this build emits them where p, root, rank and round are unknowns with these numbers. A
// term or a fact that is not true of the numbers is printed as a line that begins with DIFFERS.
void print_bridge(const schedule::Generator& generator, const std::string& name, int most);

// Returns true if both emit the same rounds for every p up to `most`.
bool emit_the_same(const schedule::Generator& a, const schedule::Generator& b, int most);

}  // namespace tutti::prove
