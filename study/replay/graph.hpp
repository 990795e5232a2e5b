// SPDX-License-Identifier: BSD-3-Clause
// Writes what ranks do as a graph of messages, which GOAL can say: each message with a tag of its
// own among those of its two ranks, and what it waits for.
#pragma once

#include "formats/message_graph.hpp"
#include "machine/machine.hpp"
#include "simulate/rank_source.hpp"

namespace tutti::replay {

// Takes all items of the source. The program of a rank is its processor 0. Operations and sends
// that go on beside it are on further processors, whose numbers are used again. Work is in
// nanoseconds. It has what ranks compute, and what they combine and copy if there is a machine that
// says how long that takes. Throws Error(invalid_argument) if a message has one end only.
[[nodiscard]] formats::MessageGraph graph_of(simulate::RankSource& source,
                                             const machine::Machine* machine);

}  // namespace tutti::replay
