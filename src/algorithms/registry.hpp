// SPDX-License-Identifier: BSD-3-Clause
// All algorithms, by operation and name. Each carries, where it is defined, a header that a test
// reads:
//   // <operation> <name>: what happens, in a sentence
//   //   Source: paper, section
//   //   Needs:  p, root, parameters, properties of the operator
//   //   Cost:   what the verifier counts, as formulas (see selection/formula.hpp), 0 everywhere
//               for p = 1: rounds, messages, alpha, root, longest and done always; what is not
//               stated is 0. A cost with <= is a bound that some shape reaches: the cost depends
//               on the root, or has no short closed form.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "schedule/generator.hpp"

namespace tutti::algorithms {

std::span<const schedule::Generator* const> all();

// The words of a list of aliases, which spaces separate.
std::vector<std::string_view> words_of(std::string_view words);
// Returns true if `name` is one of the words. It allocates nothing, because front ends look up
// operations in calls that must not allocate.
bool is_word_of(std::string_view name, std::string_view words);

// Null if there is none of that name.
const schedule::Generator* find(schedule::Operation operation, std::string_view name);

}  // namespace tutti::algorithms
