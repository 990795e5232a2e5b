// SPDX-License-Identifier: BSD-3-Clause
// The combines of a run. Operands are folded from the left, packet by packet; each gets as far as
// the operand before it.
#pragma once

#include "engine/run_state.hpp"

namespace tutti::engine {

// Applies the operator of the run. `result` may be exactly `left` or exactly `right`.
inline void combine(RunState& run, void* result, const void* left, const void* right,
                    std::int64_t count) {
  if (run.reducer->kind() != data::Operator::Kind::user) [[likely]]
    return run.reducer->combine(result, left, right, count);
  const InFlight::Combining combining(*run.in_flight, run.identity.group_id);
  if (!run.reducer->may_fail()) return run.reducer->combine(result, left, right, count);
  if (run.operator_code == 0) run.operator_code = run.reducer->attempt(result, left, right, count);
}
// Returns the payload, or a private copy of it for a user's function, which must not touch the
// sender's memory.
[[nodiscard]] const std::byte* payload_of(RunState& run, const transport::Packet& packet);

// Each does what can be done of one op now, and returns true if that was anything. fold_vectors()
// combines by a function that takes whole vectors, fold_all() by any other.
bool fold_vectors(RunState& run, std::uint32_t index);
bool fold_all(RunState& run, std::uint32_t index);

// Returns true if an operand of an unfinished op comes in a message and has not arrived completely.
[[nodiscard]] bool lacks(const RunState& run, std::uint32_t index, std::uint32_t operand);

}  // namespace tutti::engine
