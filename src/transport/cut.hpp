// SPDX-License-Identifier: BSD-3-Clause
// The rule of cutting. One pure function says in what packets a message travels, after how many
// bytes its receiver is told, and whether the sender does anything else meanwhile. The engine asks
// it for messages of collectives, and services for those of the mailbox.
//
// A receiver that has a processor of its own reads one part while the sender writes the next, so a
// message that nothing else delays is told in parts. A receiver that shares a processor with its
// sender runs when the sender gives it away, and should then find all it needs. So it is told once,
// and the sender gives the processor away before its messages leave the caches.
#pragma once

#include <algorithm>
#include <cstdint>

#include "base/tuning.hpp"
#include "transport/idler.hpp"
#include "transport/label.hpp"

namespace tutti::transport {

// The lengths by which an endpoint cuts, in bytes.
struct CutLimits {
  // Those of collectives. A message up to `at_once`, at least 40 and at most most_inline, travels
  // within the packet itself. The longest packet in a fragment has `fragment` bytes, at least 64.
  // One of a message whose sender has nothing else to do has at most `overlap`, and `overlap_long`
  // if the message is longer than `overlap_to`.
  std::uint32_t at_once = 0, fragment = 0, overlap = 0, overlap_long = 0;
  std::uint64_t overlap_to = 0;
  // Those of the mailbox, which are rows of the tuning table.
  std::uint64_t read_while_written = 0, tell_every = 0, far_ahead = 0;

  [[nodiscard]] static CutLimits of(const base::Tuning& tuning) {
    return {.at_once = base::fixed::at_once,
            .fragment = static_cast<std::uint32_t>(tuning.fragment),
            .overlap = static_cast<std::uint32_t>(tuning.overlap),
            .overlap_long = static_cast<std::uint32_t>(tuning.overlap_long),
            .overlap_to = static_cast<std::uint64_t>(tuning.overlap_to),
            .read_while_written = static_cast<std::uint64_t>(tuning.read_while_written),
            .tell_every = static_cast<std::uint64_t>(tuning.tell_every),
            .far_ahead = static_cast<std::uint64_t>(tuning.far_ahead)};
  }
};

// Tells what else the sender of a message to one receiver has to do: nothing, or to send
// others only, or also to receive, which it must not put off.
enum class Beside : std::uint8_t { nothing, sends, receives };

struct Parcel {
  std::uint64_t bytes = 0;
  std::uint64_t unit = 1;  // so many bytes, such as an element, stay in one packet
  Lane lane = Lane::collective;
  Beside beside = Beside::nothing;
  bool offered_soon = false;  // its receiver may make an offer for what is not sent (handover.hpp)
};

struct Cutting {
  std::uint64_t packet = 0;      // bytes of each packet, which the last need not fill
  std::uint64_t told_after = 0;  // whenever so many more bytes are written, the receiver is told
  bool whole = false;            // all of it is sent before the sender looks at anything else
  // The sender lets others run first if so many bytes that it has sent may be unread.
  std::uint64_t most_ahead = ~std::uint64_t{0};
};

[[nodiscard]] constexpr Cutting cut(const Parcel& message, const CutLimits& limits,
                                    Processors processors) {
  const bool alone = message.beside == Beside::nothing;
  const bool enough = processors == Processors::enough;
  if (message.lane == Lane::mailbox) {
    const bool early = alone && enough && message.bytes >= limits.read_while_written;
    Cutting one{message.bytes, message.bytes, !early};
    if (early) one.told_after = std::min(limits.tell_every, message.bytes);
    if (!enough) one.most_ahead = limits.far_ahead;
    return one;
  }
  const bool short_parts = message.offered_soon || message.bytes <= limits.overlap_to;
  const std::uint32_t part =
      std::min(short_parts ? limits.overlap : limits.overlap_long, limits.fragment);
  const bool in_parts = (alone || message.offered_soon) && message.unit <= part;
  const std::uint64_t units = (in_parts ? part : limits.fragment) / message.unit;
  const std::uint64_t packet = std::max<std::uint64_t>(units, 1) * message.unit;
  return {packet, packet, !enough && message.beside != Beside::receives};
}

}  // namespace tutti::transport
