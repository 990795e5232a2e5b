// SPDX-License-Identifier: BSD-3-Clause
// Receives messages that are shorter than the room for them, where a front end allows it. MPI's
// programs give long receive buffers to MPI_Bcast, MPI_Scatter and the like. The receiver then
// takes the sender's size for its own, before it has moved anything.
#pragma once

#include <optional>

#include "engine/run_state.hpp"

namespace tutti::engine {

// Accepts a message that is shorter than expected, if no other op contradicts. Returns true if the
// message can be received now.
bool accept_shorter(RunState& run, const transport::Channel& channel,
                    const transport::Packet& packet);
// Undoes what shorter messages have changed, for the next run of the call.
void expect_as_given(RunState& run);
// Returns the op of this round that receives from the channel's peer.
[[nodiscard]] std::optional<std::uint32_t> receive_from(const RunState& run,
                                                        const transport::Channel& channel);
// Returns how many blocks an op writes, at least 1.
[[nodiscard]] std::int64_t blocks_of(const RunState& run, std::uint32_t index);

}  // namespace tutti::engine
