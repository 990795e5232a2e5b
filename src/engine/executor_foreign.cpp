// SPDX-License-Identifier: BSD-3-Clause
// Handles packets of other operations. Some belong to operations that may run at the same time; the
// others show that the ranks disagree.
#include <algorithm>

#include "base/error.hpp"
#include "engine/executor.hpp"
#include "engine/unequal_sizes.hpp"

namespace tutti::engine {

using transport::Channel;
using transport::Packet;

// Two blocking operations never overlap, so a packet of one that the other finds shows that ranks
// disagree. An overlapping operation of the same group is over if its number is lower and it is not
// in flight here; its packet is an error, too.
const Packet* Executor::foreign(Channel& channel, const Packet& packet,
                                std::uint64_t expected_bytes) {
  const Tag other(packet.label);
  const bool overlaps = other.mode() == Mode::overlapping || identity_.mode == Mode::overlapping;
  const std::int32_t later =
      other.group() == identity_.group_id ? other.later_than(Tag(label_).number()) : 1;
  const bool same_operation = later == 0;
  const bool over = later < 0 && !in_flight_->includes(packet.label);
  if (same_operation || over || !overlaps) report_mismatch(channel, packet, expected_bytes);
  if (in_flight_->stuck()) in_flight_->hold(channel);
  return nullptr;
}

void Executor::report_mismatch(const Channel& channel, const Packet& packet,
                               std::uint64_t expected_bytes) const {
  in_flight_->set_mismatch_seen();
  const auto found =
      std::find(identity_.endpoints.begin(), identity_.endpoints.end(), channel.peer());
  const auto sender = found - identity_.endpoints.begin();
  const Tag mine = unnumbered_, other(packet.label);
  const std::string here =
      fmt::format("rank {} of {} is in {}", identity_.rank, identity_.endpoints.size(),
                  describe_operation(mine, Tag(label_).number()));
  if (packet.label == label_) {
    throw UnequalSizes(
        fmt::format("{} and expects {} bytes from rank {}, which sent {}: the sizes given to one "
                    "collective must agree",
                    here, expected_bytes, sender, packet.total));
  }
  const std::int64_t number =
      std::int64_t{Tag(label_).number()} + other.later_than(Tag(label_).number());
  const std::string there = describe_operation(other, number);
  const bool same_operation =
      other.group() == mine.group() && number == std::int64_t{Tag(label_).number()};
  if (same_operation && other.combining(0).numbered(0).label() == mine.combining(0).label()) {
    base::fail(
        base::Status::mismatch,
        "{} and combines by {}, but rank {} by {}: all ranks must give the same operator and type",
        here, data::describe_signature(mine.signature()), sender,
        data::describe_signature(other.signature()));
  }
  if (same_operation) {
    base::fail(base::Status::mismatch,
               "{} but rank {} in {}: all ranks must make the same call with the same root", here,
               sender, there);
  }
  base::fail(base::Status::mismatch,
             "{} but the next message from endpoint {} belongs to {}: all ranks must call the "
             "collectives of their groups in the same order",
             here, channel.peer(), there);
}

}  // namespace tutti::engine
