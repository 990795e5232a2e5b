// SPDX-License-Identifier: BSD-3-Clause
// What is under way in this process besides the call it is in: operations that were started and not
// yet waited for, and messages that came before the operation they belong to wanted them.
//
// All operations between two ranks share one channel. The next packet on it may belong to another
// operation than the one that looks: then it stays for that one. Only when nothing can move any
// more is it taken off the channel and held, so that what lies behind it becomes visible.
#pragma once

#include <cstddef>
#include <list>
#include <utility>
#include <vector>

#include "engine/tag.hpp"
#include "transport/give_up.hpp"
#include "transport/transport.hpp"

namespace tutti::engine {

class Execution;

class InFlight {
 public:
  // The next packet of operation `tag` from the channel's peer, or any other packet that stands
  // before it; nullptr if there is none. pop() lets go of it.
  const transport::Packet* look(transport::Channel& channel, std::uint64_t tag) {
    if (held_.empty()) [[likely]]
      return channel.peek();
    return look_at_held(channel, tag);
  }
  void pop(transport::Channel& channel, std::uint64_t tag) {
    if (held_.empty()) [[likely]]
      return channel.pop();
    pop_held(channel, tag);
  }

  // Whether packets of other operations may be held now.
  [[nodiscard]] bool stuck() const { return stuck_; }
  void set_stuck(bool stuck) { stuck_ = stuck; }
  // Takes the next packet off the channel.
  void hold(transport::Channel& channel);
  // Whether that has happened since the last question. What lay behind the packet has not been
  // looked at then, even if nothing has moved: too early to sleep, or to think that a peer that has
  // left has sent nothing.
  [[nodiscard]] bool uncovered() { return std::exchange(uncovered_, false); }

  [[nodiscard]] bool busy() const { return !active_.empty(); }
  // Whether the operation is one of this process's that are not done.
  [[nodiscard]] bool includes(std::uint64_t tag) const;
  void add(Execution& execution) { active_.push_back(&execution); }
  void remove(const Execution& execution);
  // Lets every operation do what it can; true if any of them could do something. Throws what one of
  // them throws.
  bool advance();
  // The same for a caller that does not wait for any of them.
  bool look_around();

  // Asked by a blocking call each time it has looked in vain: yes ends its wait.
  void set_question(transport::GiveUp question) { question_ = question; }
  [[nodiscard]] bool vain() const { return question_.now(); }

  // The blocking call in progress, as far as it has to wait.
  class Waiter {
   public:
    Waiter(InFlight& in_flight, std::uint64_t tag) : in_flight_(&in_flight) {
      in_flight.waiting_ = tag;
    }
    ~Waiter() {
      in_flight_->waiting_ = 0;
      in_flight_->stuck_ = false;
    }
    Waiter(const Waiter&) = delete;
    Waiter& operator=(const Waiter&) = delete;

   private:
    InFlight* in_flight_;
  };

 private:
  struct Held {
    int endpoint;
    transport::Packet packet;
    std::vector<std::byte> bytes;
  };
  [[nodiscard]] std::list<Held>::iterator find(int endpoint, std::uint64_t tag);
  const transport::Packet* look_at_held(transport::Channel& channel, std::uint64_t tag);
  void pop_held(transport::Channel& channel, std::uint64_t tag);

  std::list<Held> held_;  // in the order they were taken off
  std::vector<Execution*> active_;
  transport::GiveUp question_;
  std::uint64_t waiting_ = 0;
  bool stuck_ = false;
  bool uncovered_ = false;
};

}  // namespace tutti::engine
