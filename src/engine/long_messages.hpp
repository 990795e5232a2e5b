// SPDX-License-Identifier: BSD-3-Clause
// Long messages that are copied once (transport/handover.hpp), as ops see them. A receive or a
// combine that waits offers to take its message where it goes. A send that nothing else of its
// round depends on hands it over if it was offered so. The micro-operations (steps.hpp, folds.hpp)
// call these functions.
#pragma once

#include "engine/run_state.hpp"

namespace tutti::engine {

// Called by an op that waits for the rest of a message from the peer of `channel`. `to` is where
// its bytes go, nullptr if they are combined.
void offer_to_take(RunState& run, std::uint32_t index, transport::Channel& channel, std::byte* to);
// Takes part in copying the message in hand, which was handed over. Returns true if that was
// anything.
bool take_part(RunState& run, std::uint32_t index, transport::Channel& channel);
// Ends what the ops of this round have offered and handed over, because the run is given up.
void withdraw_offers(RunState& run);

// Makes the offers of a round that begins, so that senders that come later find them.
void offer_at_once(RunState& run);

// A send that may be handed over does one of these.
enum class Sending : std::uint8_t { packets, short_packets, moved, waits };
// Hands over the rest of a message, or copies a part of one that was handed over.
[[nodiscard]] Sending hand_over(RunState& run, std::uint32_t index);

}  // namespace tutti::engine
