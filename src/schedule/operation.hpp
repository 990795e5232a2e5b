// SPDX-License-Identifier: BSD-3-Clause
// The operations, made from operations.def, and what all parts of the tree ask about one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>

namespace tutti::schedule {

enum class Operation : std::uint8_t {
#define TUTTI_OPERATION(name, ...) name,
#include "schedule/operations.def"
#undef TUTTI_OPERATION
};

// Says how much of the vector a rank has in its input or output.
enum class Share : std::uint8_t {
  none,
  whole,      // the vector
  cut,        // the vector, which has a part for each rank
  at_root,    // the vector at the root, nothing elsewhere
  from_root,  // the vector, which the root has from the start
  own         // the rank's own part of the vector
};
enum class Effect : std::uint8_t { none, moves, combines };

struct OperationFacts {
  const char* name;
  Share input;
  Share output;
  Effect effect;
  const char* aliases;  // other names, one space between
};

// The table is at namespace scope because GCC would build a local one anew at every call.
inline constexpr OperationFacts operation_facts[] = {
#define TUTTI_OPERATION(name, NUMBER, input, output, effect, aliases) \
  {#name, Share::input, Share::output, Effect::effect, aliases},
#include "schedule/operations.def"
#undef TUTTI_OPERATION
};
inline constexpr int operation_kinds = static_cast<int>(std::size(operation_facts));

[[nodiscard]] constexpr const OperationFacts& facts_of(Operation operation) {
  return operation_facts[static_cast<std::size_t>(operation)];
}

// A number that came from another process may be no operation.
[[nodiscard]] constexpr const char* to_text(Operation operation) {
  return static_cast<int>(operation) < operation_kinds ? facts_of(operation).name : "?";
}

[[nodiscard]] constexpr bool has_own_input(Operation operation) {
  return facts_of(operation).input == Share::own;
}
[[nodiscard]] constexpr bool has_own_output(Operation operation) {
  return facts_of(operation).output == Share::own;
}

// Returns true if one rank has the whole, or gets it.
[[nodiscard]] constexpr bool has_root(Operation operation) {
  const OperationFacts& facts = facts_of(operation);
  return facts.input == Share::at_root || facts.output == Share::at_root ||
         facts.output == Share::from_root;
}

// Returns true if the vector has a part for each rank.
[[nodiscard]] constexpr bool is_cut_by_rank(Operation operation) {
  return has_own_input(operation) || has_own_output(operation) ||
         facts_of(operation).input == Share::cut;
}

[[nodiscard]] constexpr bool combines(Operation operation) {
  return facts_of(operation).effect == Effect::combines;
}

}  // namespace tutti::schedule
