// SPDX-License-Identifier: BSD-3-Clause
// The common part of the operations of this process: how they wait, messages that arrived before
// their operation asked for them, and what a front end has said about them all. Runs
// use it.
//
// All operations between two ranks share one channel. The next packet on it may belong to another
// operation than the one that polls; the packet then stays for that operation. If nothing else can
// move, it is taken off the channel and held, and the packets behind it become visible.
#pragma once

#include <cstddef>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "engine/tag.hpp"
#include "transport/record/recorder.hpp"
#include "transport/trace/tracer.hpp"
#include "transport/transport.hpp"
#include "transport/waiter.hpp"

namespace tutti::engine {

// Called when a message has fewer elements than this rank has room for. `output` is where the
// result of the call goes, `block` the number of the block that is short, or -1 if the whole vector
// is, `bytes` what the block or the vector has.
struct TellShorter {
  void (*tell)(void* user, const void* output, int block, std::int64_t bytes) = nullptr;
  void* user = nullptr;
};

class InFlight {
 public:
  // `record` is that of this process, or nullptr. It outlives this object.
  explicit InFlight(transport::Waiter& waiter, record::RunRecorder* record = nullptr)
      : record_(record), waiter_(&waiter) {}

  // Returns the next packet of operation `label` from the channel's peer, or a packet of another
  // operation that stands before it; nullptr if there is none. pop() releases it.
  const transport::Packet* look(transport::Channel& channel, transport::Label label) {
    if (held_.empty()) [[likely]]
      return channel.peek();
    return look_at_held(channel, label);
  }
  void pop(transport::Channel& channel, transport::Label label) {
    if (held_.empty()) [[likely]]
      return channel.pop();
    pop_held(channel, label);
  }

  // Takes the next packet off the channel and keeps a copy of it.
  void hold(transport::Channel& channel);
  // Returns a packet that is held for an operation of this process, `self`, that it did not start.
  [[nodiscard]] std::optional<transport::UnreadPacket> unread(int self) const {
    if (held_.empty()) return std::nullopt;
    const auto& [key, packets] = *held_.begin();
    return transport::UnreadPacket{std::get<0>(key), self, packets.front().packet.label};
  }

  // Says which processes a group has, for messages; the group is given by its number.
  using GroupText = std::function<std::string(std::uint64_t group)>;
  void set_group_text(GroupText text) { group_text_ = std::move(text); }
  [[nodiscard]] std::string group_text(std::uint64_t group) const {
    return group_text_ ? group_text_(group) : "this group";
  }

  // Records that this process was told that the ranks disagree.
  void set_mismatch_seen() { mismatch_seen_ = true; }
  [[nodiscard]] bool mismatch_seen() const { return mismatch_seen_; }

  // All blocking operations wait by it, and all that go on besides are in its progress().
  [[nodiscard]] transport::Waiter& waiter() const { return *waiter_; }
  [[nodiscard]] transport::Progress& progress() const { return waiter_->progress(); }

  // Returns true while a function of the program combines operands for the group of this number.
  [[nodiscard]] bool combines_for(std::uint64_t group) const { return combining_ == group; }
  // Lives while a function of the program combines operands for a group.
  class Combining {
   public:
    Combining(InFlight& in_flight, std::uint64_t group)
        : in_flight_(&in_flight), outer_(std::exchange(in_flight.combining_, group)) {}
    ~Combining() { in_flight_->combining_ = outer_; }
    Combining(const Combining&) = delete;
    Combining& operator=(const Combining&) = delete;

   private:
    InFlight* in_flight_;
    std::uint64_t outer_;
  };

  // Receivers may have more room than they are sent. Without a function, that is an error.
  void set_tell_shorter(const TellShorter& tell) { tell_shorter_ = tell; }
  [[nodiscard]] const TellShorter& tell_shorter() const { return tell_shorter_; }

  // The trace of this process, or nullptr.
  void set_recorder(trace::Tracer* recorder) {
    recorder_ = recorder;
    waiter_->wait_clock().set_recorder(recorder);
  }
  [[nodiscard]] trace::Tracer* recorder() const { return recorder_; }
  [[nodiscard]] record::RunRecorder* record() const { return record_; }

 private:
  struct Held {
    transport::Packet packet;
    std::vector<std::byte> bytes;
  };
  // The sender's endpoint, and the label of the packets: its tag and its detail.
  using HeldKey = std::tuple<int, std::uint64_t, std::uint32_t>;
  [[nodiscard]] static HeldKey key_of(const transport::Channel& channel, transport::Label label) {
    return {channel.peer(), label.tag, label.detail};
  }
  const transport::Packet* look_at_held(transport::Channel& channel, transport::Label label);
  void pop_held(transport::Channel& channel, transport::Label label);

  trace::Tracer* recorder_ = nullptr;         // beside held_, which every look at a channel reads
  record::RunRecorder* record_;               // there for the same reason
  std::map<HeldKey, std::deque<Held>> held_;  // packets of one key in the order of their arrival
  transport::Waiter* waiter_;
  static constexpr std::uint64_t no_group = ~std::uint64_t{0};
  std::uint64_t combining_ = no_group;
  GroupText group_text_;
  TellShorter tell_shorter_;
  bool mismatch_seen_ = false;
};

}  // namespace tutti::engine
