// SPDX-License-Identifier: BSD-3-Clause
// The list of all algorithms, searched by operation and name. Selection, the front ends and the
// tools use it. Each algorithm has a header comment where it is defined, which a test reads:
//   // <operation> <name>: what happens, in a sentence
//   //   Source: paper, section
//   //   Needs:  p, root, parameters, properties of the operator
//   //   Cost:   formulas for what the verifier counts (see selection/formula.hpp)
// The costs rounds, messages, alpha, root, longest and done are always stated; any other cost that
// is not stated is 0. Every cost is 0 for p = 1. A cost with <= is a bound that some shape reaches:
// the cost depends on the root, or has no short closed form.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "schedule/generator.hpp"

namespace tutti::algorithms {

// Returns all algorithms: those that are built in, and then those of plug-ins and of the program
// (registered.hpp). Throws Error(bad_environment) if a plug-in cannot be loaded.
std::span<const schedule::Generator* const> all();

// Returns the words of `words`, a list of aliases that single spaces separate.
std::vector<std::string_view> words_of(std::string_view words);
// Returns true if `name` is one of the words in `words`. It allocates no memory, because front ends
// look up operations in calls that must not allocate.
bool is_word_of(std::string_view name, std::string_view words);

// Returns the name of the algorithm in the name of a plan: all before the settings, which follow a
// colon. In the name of a schedule from a file, such as file:ring8.json, it is the whole.
[[nodiscard]] std::string_view name_in(std::string_view plan);
// Returns the settings in the name of a plan, without the colon.
[[nodiscard]] std::string_view settings_in(std::string_view plan);

// Returns the algorithm of that name or alias, or null if there is none. A name such as
// file:ring8.json is that of a schedule in a file (from_file.hpp), which is read and proved when it
// is looked for first. Throws Error(invalid_argument) if it cannot be read, or is wrong.
const schedule::Generator* find(schedule::Operation operation, std::string_view name);

}  // namespace tutti::algorithms
