// SPDX-License-Identifier: BSD-3-Clause
// Says how the ranks disagree, by the labels of what was expected and of what came.
#include "engine/arrivals.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.hpp"
#include "engine/shorter.hpp"
#include "engine/unequal_sizes.hpp"

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

// A message may have the blocks of several ranks, which all have one size if all ranks give one.
TwoSizes two_sizes(const RunState& run, const Channel& channel, int sender, std::uint64_t expected,
                   std::uint64_t sent) {
  const bool by_rank = run.plan->cut_by_rank || !run.evenly_cut;
  const auto receive = by_rank ? receive_from(run, channel) : std::nullopt;
  const std::int64_t blocks = receive ? blocks_of(run, *receive) : 1;
  return {sender, static_cast<std::int64_t>(expected) / blocks,
          static_cast<std::int64_t>(sent) / blocks, !by_rank && run.plan->buffers.parts > 1};
}

[[noreturn]] void report_mismatch(const RunState& run, const Channel& channel, const Packet& packet,
                                  std::uint64_t expected_bytes) {
  run.in_flight->set_mismatch_seen();
  const auto found =
      std::find(run.identity.endpoints.begin(), run.identity.endpoints.end(), channel.peer());
  const auto sender = found - run.identity.endpoints.begin();
  const Tag mine(run.label), other(packet.label);
  const std::string here =
      fmt::format("rank {} of {} is in {}", run.identity.rank, run.identity.endpoints.size(),
                  describe_operation(mine, mine.number(), run.in_flight->group_text(mine.group())));
  if (packet.label == run.label) {
    throw UnequalSizes(
        fmt::format("{} and expects {} bytes from rank {}, which sent {}: the sizes given to one "
                    "collective must agree",
                    here, expected_bytes, sender, packet.total),
        two_sizes(run, channel, static_cast<int>(sender), expected_bytes, packet.total));
  }
  const std::int64_t number = std::int64_t{mine.number()} + other.later_than(mine.number());
  const std::string there =
      describe_operation(other, number, run.in_flight->group_text(other.group()));
  if (other.group() == mine.group() && number == std::int64_t{mine.number()})
    report_another_call(here, mine, fmt::format("rank {}", sender), other, there);
  base::fail(base::Status::mismatch,
             "{} but the next message from process {} belongs to {}: all ranks must call the "
             "collectives of their groups in the same order",
             here, channel.peer(), there);
}

}  // namespace

// Two blocking operations never overlap, so a packet of one that the other finds shows that ranks
// disagree. An overlapping operation of the same group is over if its number is lower and it is not
// in flight here; its packet is an error, too.
const Packet* foreign(RunState& run, Channel& channel, const Packet& packet,
                      std::uint64_t expected_bytes) {
  if (packet.label == run.label && packet.total < expected_bytes &&
      accept_shorter(run, channel, packet))
    return &packet;
  const Tag other(packet.label);
  const bool overlaps = other.mode() == Mode::overlapping || run.identity.mode == Mode::overlapping;
  const std::int32_t later =
      other.group() == run.identity.group_id ? other.later_than(Tag(run.label).number()) : 1;
  const bool same_operation = later == 0;
  const bool over = later < 0 && !run.in_flight->progress().expects(packet.label);
  if (same_operation || over || !overlaps) report_mismatch(run, channel, packet, expected_bytes);
  if (run.in_flight->progress().stuck()) run.in_flight->hold(channel);
  return nullptr;
}

}  // namespace tutti::engine
