// SPDX-License-Identifier: BSD-3-Clause
// The driver of any round: it looks at all ops again and again, and each goes on as far as it can.
// It never waits, so one thread may drive many runs in any order.
#pragma once

#include <vector>

#include "engine/run_state.hpp"

namespace tutti::engine {

// Does what can be done of the present round now. Look::done: the round is over.
[[nodiscard]] transport::Look advance_round(RunState& run);
// Returns a channel from which this round waits for a packet; nullptr if it waits only for room to
// send.
[[nodiscard]] transport::Channel* awaited_channel(const RunState& run);
// Lists the endpoints of which messages or room are missing.
void list_awaited(const RunState& run, std::vector<int>& endpoints);

}  // namespace tutti::engine
