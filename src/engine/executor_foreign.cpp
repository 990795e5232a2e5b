// SPDX-License-Identifier: BSD-3-Clause
// Handles packets of other operations. Some belong to operations that may run at the same time; the
// others show that the ranks disagree.
#include <algorithm>

#include "base/error.hpp"
#include "engine/executor.hpp"
#include "engine/unequal_sizes.hpp"
#include "schedule/partition.hpp"

namespace tutti::engine {

using transport::Channel;
using transport::Packet;

namespace {

const char* manner_of(Tag tag) {
  return tag.mode() == Mode::blocking ? "blocking" : "non-blocking or persistent";
}

// Two ranks are in the same operation of their group, but their calls differ.
[[noreturn]] void report_another_call(const std::string& here, Tag mine, const std::string& sender,
                                      Tag other, const std::string& there) {
  using base::Status::mismatch;
  if (other.combining(0).label() == mine.combining(0).label()) {
    base::fail(
        mismatch,
        "{} and combines by {}, but {} by {}: all ranks must give the same operator and type", here,
        data::describe_signature(mine.signature()), sender,
        data::describe_signature(other.signature()));
  }
  if (other.operation() == mine.operation() && other.mode() != mine.mode()) {
    base::fail(mismatch, "{} by a {} call, but {} by a {} one: all ranks must make the same call",
               here, manner_of(mine), sender, manner_of(other));
  }
  base::fail(mismatch, "{} but {} in {}: all ranks must make the same call with the same root",
             here, sender, there);
}

}  // namespace

// Two blocking operations never overlap, so a packet of one that the other finds shows that ranks
// disagree. An overlapping operation of the same group is over if its number is lower and it is not
// in flight here; its packet is an error, too.
const Packet* Executor::foreign(Channel& channel, const Packet& packet,
                                std::uint64_t expected_bytes) {
  if (packet.label == label_ && packet.total < expected_bytes && accept_shorter(channel, packet))
    return &packet;
  const Tag other(packet.label);
  const bool overlaps = other.mode() == Mode::overlapping || identity_.mode == Mode::overlapping;
  const std::int32_t later =
      other.group() == identity_.group_id ? other.later_than(Tag(label_).number()) : 1;
  const bool same_operation = later == 0;
  const bool over = later < 0 && !in_flight_->progress().expects(packet.label);
  if (same_operation || over || !overlaps) report_mismatch(channel, packet, expected_bytes);
  if (in_flight_->progress().stuck()) in_flight_->hold(channel);
  return nullptr;
}

// A message may have the blocks of several ranks, which all have one size if all ranks give one.
TwoSizes Executor::two_sizes(const Channel& channel, int sender, std::uint64_t expected,
                             std::uint64_t sent) const {
  const bool by_rank = schedule::cut_by_rank(identity_.operation, plan_->buffers) || !evenly_cut_;
  const auto receive = by_rank ? receive_from(channel) : std::nullopt;
  const std::int64_t blocks = receive ? blocks_of(*receive) : 1;
  return {sender, static_cast<std::int64_t>(expected) / blocks,
          static_cast<std::int64_t>(sent) / blocks, !by_rank && plan_->buffers.parts > 1};
}

void Executor::report_mismatch(const Channel& channel, const Packet& packet,
                               std::uint64_t expected_bytes) const {
  in_flight_->set_mismatch_seen();
  const auto found =
      std::find(identity_.endpoints.begin(), identity_.endpoints.end(), channel.peer());
  const auto sender = found - identity_.endpoints.begin();
  const Tag mine(label_), other(packet.label);
  const std::string here =
      fmt::format("rank {} of {} is in {}", identity_.rank, identity_.endpoints.size(),
                  describe_operation(mine, mine.number(), in_flight_->group_text(mine.group())));
  if (packet.label == label_) {
    throw UnequalSizes(
        fmt::format("{} and expects {} bytes from rank {}, which sent {}: the sizes given to one "
                    "collective must agree",
                    here, expected_bytes, sender, packet.total),
        two_sizes(channel, static_cast<int>(sender), expected_bytes, packet.total));
  }
  const std::int64_t number = std::int64_t{mine.number()} + other.later_than(mine.number());
  const std::string there =
      describe_operation(other, number, in_flight_->group_text(other.group()));
  if (other.group() == mine.group() && number == std::int64_t{mine.number()})
    report_another_call(here, mine, fmt::format("rank {}", sender), other, there);
  base::fail(base::Status::mismatch,
             "{} but the next message from process {} belongs to {}: all ranks must call the "
             "collectives of their groups in the same order",
             here, channel.peer(), there);
}

}  // namespace tutti::engine
