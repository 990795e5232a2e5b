// SPDX-License-Identifier: BSD-3-Clause
// Finds the packet that a run may take next. Packets of other operations may stand before its own;
// some may run at the same time, the others show that the ranks disagree.
#pragma once

#include "engine/run_state.hpp"

namespace tutti::engine {

// Handles a packet that is not the expected one. If it belongs to another operation that may run at
// the same time, it stays on the channel or is held, and the result is nullptr. A message that is
// shorter than expected may be accepted (shorter.hpp). Otherwise throws Error(mismatch).
const transport::Packet* foreign(RunState& run, transport::Channel& channel,
                                 const transport::Packet& packet, std::uint64_t expected_bytes);

// Returns a packet that InFlight::look() has found, if it is the next one of a message of
// `total_bytes`; otherwise nullptr.
inline const transport::Packet* expected(RunState& run, transport::Channel& channel,
                                         const transport::Packet& packet,
                                         std::uint64_t total_bytes) {
  if (packet.label != run.label || packet.total != total_bytes) [[unlikely]]
    return foreign(run, channel, packet, total_bytes);
  return &packet;
}
inline const transport::Packet* look_once(RunState& run, transport::Channel& channel) {
  return run.in_flight->look(channel, run.label);
}
// Returns the next packet of a message of `total_bytes`, or nullptr.
inline const transport::Packet* arrived(RunState& run, transport::Channel& channel,
                                        std::uint64_t total_bytes) {
  const transport::Packet* const packet = look_once(run, channel);
  return packet == nullptr ? nullptr : expected(run, channel, *packet, total_bytes);
}

}  // namespace tutti::engine
