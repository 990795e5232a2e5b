// SPDX-License-Identifier: BSD-3-Clause
// The operations of this process that are in flight besides the call it is in, and messages that
// arrived before their operation asked for them. Executors and executions use it.
//
// All operations between two ranks share one channel. The next packet on it may belong to another
// operation than the one that polls; the packet then stays for that operation. If
// nothing else can move, it is taken off the channel and held, and the packets behind it become
// visible.
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
#include "transport/give_up.hpp"
#include "transport/trace/tracer.hpp"
#include "transport/transport.hpp"

namespace tutti::engine {

class Execution;

// Something else that goes on while this process waits in the engine, such as messages under way.
struct Companion {
  static constexpr bool never = false;
  const bool* busy = &never;              // true while there is something to advance
  bool (*advance)(void* user) = nullptr;  // returns true if anything moved
  void* user = nullptr;
};

// Called when a message has fewer elements than this rank has room for. `output` is where the
// result of the call goes, `block` the number of the block that is short, or -1 if the whole vector
// is, `bytes` what the block or the vector has.
struct TellShorter {
  void (*tell)(void* user, const void* output, int block, std::int64_t bytes) = nullptr;
  void* user = nullptr;
};

class InFlight {
 public:
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

  // Returns true if packets of other operations may be held now, because nothing else can move.
  [[nodiscard]] bool stuck() const { return stuck_; }
  void set_stuck(bool stuck) { stuck_ = stuck; }
  // Takes the next packet off the channel and keeps a copy of it.
  void hold(transport::Channel& channel);
  // Returns true if a packet was held since the last question. The packets behind it have then not
  // been seen: it is too early to sleep, or to decide that a departed peer has sent nothing.
  [[nodiscard]] bool uncovered() { return std::exchange(uncovered_, false); }

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

  void set_companion(const Companion& companion) { companion_ = companion; }
  [[nodiscard]] bool busy() const { return !active_.empty() || *companion_.busy; }
  // Returns true if the operation has started in this process and is not done.
  [[nodiscard]] bool includes(transport::Label label) const;
  void add(Execution& execution) { active_.push_back(&execution); }
  void remove(const Execution& execution);
  // Lets every operation, and the companion, do what it can. Returns true if any of them could do
  // something. Throws the error of the first that fails.
  bool advance();
  // Advances all operations for a caller that waits for none of them. If nothing moves, lets them
  // take packets of other operations off their channels, and advances them again.
  bool look_around();

  // Sets the cancel predicate. Every wait asks it after each failed poll; true ends the wait.
  void set_question(transport::GiveUp question) { question_ = question; }
  [[nodiscard]] transport::Waiting::Until until() const {
    return question_.in_time ? transport::Waiting::Until::given_up
                             : transport::Waiting::Until::it_comes;
  }
  [[nodiscard]] transport::GiveUp question() const { return question_; }
  [[nodiscard]] bool vain() const { return question_.now(); }

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

  // Marks the operation `label` as one in which the caller is blocked, as long as this object
  // lives.
  class Waiter {
   public:
    Waiter(InFlight& in_flight, transport::Label label) : in_flight_(&in_flight) {
      in_flight.waiting_ = label;
    }
    ~Waiter() {
      in_flight_->waiting_ = {};
      in_flight_->stuck_ = false;
    }
    Waiter(const Waiter&) = delete;
    Waiter& operator=(const Waiter&) = delete;

   private:
    InFlight* in_flight_;
  };

  // Receivers may have more room than they are sent. Without a function, that is an error.
  void set_tell_shorter(const TellShorter& tell) { tell_shorter_ = tell; }
  [[nodiscard]] const TellShorter& tell_shorter() const { return tell_shorter_; }

  // The trace of this process, or nullptr.
  void set_recorder(trace::Tracer* recorder) { recorder_ = recorder; }
  [[nodiscard]] trace::Tracer* recorder() const { return recorder_; }

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
  std::map<HeldKey, std::deque<Held>> held_;  // packets of one key in the order of their arrival
  std::vector<Execution*> active_;
  Companion companion_;
  transport::GiveUp question_;
  transport::Label waiting_;
  static constexpr std::uint64_t no_group = ~std::uint64_t{0};
  std::uint64_t combining_ = no_group;
  GroupText group_text_;
  TellShorter tell_shorter_;
  bool stuck_ = false;
  bool uncovered_ = false;
  bool mismatch_seen_ = false;
};

}  // namespace tutti::engine
