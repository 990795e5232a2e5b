// SPDX-License-Identifier: BSD-3-Clause
// Tests of the prover: what it takes for true of unknowns has to be true of numbers.
#pragma once

#include <string>

#include "schedule/generator.hpp"

namespace tutti::prove {

// Runs each statement about the generator on numbers, this often, with few ranks. The facts that a
// path learns have to be true there, and so do the obligations. A fact that is false would make a
// path impossible, which nobody would notice. Prints how many runs came to the end of a statement,
// and a line that begins with DIFFERS for what is not true.
void print_samples(const schedule::Generator& generator, const std::string& name, int runs);

// Asks for the result of each operator for all numbers from -most to most, negative ones included,
// and for a few larger ones with exponents up to 6; as unknowns with these numbers, and as numbers.
// The operator has to refuse, or to give the result of C++ and true facts. Prints how often it did
// either, and lines that begin with DIFFERS.
void print_operators(int most);

// Prints a hash of the buffers of all ranks (memory_hash.hpp) for every p up to `most` and a few
// roots.
void print_memory(const schedule::Generator& generator, const std::string& name, int most);

}  // namespace tutti::prove
