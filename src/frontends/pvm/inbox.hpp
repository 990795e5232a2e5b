// SPDX-License-Identifier: BSD-3-Clause
// What has come for this task and was not received. Messages wait in the runtime's mailbox and are
// matched there; those that must be looked at one by one, and those that tell of the end of another
// task, wait here. What is here is older.
#pragma once

#include <tutti/tutti_runtime.h>

#include <chrono>
#include <cstdint>
#include <list>
#include <optional>
#include <vector>

#include "buffer.hpp"
#include "handlers.hpp"

namespace tutti::pvm {

constexpr int any = -1;

struct MessagePattern {
  int tid = any;
  int tag = any;
  int context = 0;

  [[nodiscard]] bool fits(const Origin& origin) const {
    return (tid == any || tid == origin.tid) && (tag == any || tag == origin.tag) &&
           context == origin.context;
  }
};

// What tells messages apart in the mailbox: the context above the tag.
[[nodiscard]] constexpr std::uint64_t key_of(int context, int tag) {
  return std::uint64_t{static_cast<std::uint32_t>(context)} << 32 | static_cast<std::uint32_t>(tag);
}

class Inbox {
 public:
  using Match = int (*)(int buffer, int tid, int tag);
  static constexpr double for_ever = -1;

  explicit Inbox(MessageBuffers& buffers) : buffers_(&buffers) {}

  // Waits so long for a message and makes it a buffer. Returns its number, 0 when there is none, or
  // an error.
  [[nodiscard]] int receive(const MessagePattern& wanted, double seconds);
  // The same without waiting, and the message can still be received.
  [[nodiscard]] int probe(const MessagePattern& wanted);
  // Waits for a message and copies it out, as far as it fits. Returns PvmOk or an error.
  [[nodiscard]] int receive_into(const MessagePattern& wanted, void* data, std::size_t space,
                                 Origin& origin, std::size_t& bytes);

  // nullptr: the usual match. Returns the one before.
  Match set_match(Match match);
  [[nodiscard]] Handlers& handlers() { return handlers_; }

  // One message with this tag when the task has ended; at once if it has.
  void watch(int tid, int tag, int context);
  // The messages of such watches come now.
  void cancel_watch(int tid, int tag, int context);

 private:
  using Clock = std::chrono::steady_clock;
  using Deadline = std::optional<Clock::time_point>;
  struct Watch {
    int tid, tag, context;
    friend bool operator==(const Watch&, const Watch&) = default;
  };

  // Each returns the number of a buffer in here_, 0, or an error.
  [[nodiscard]] int find(const MessagePattern& wanted);
  [[nodiscard]] int find_by_function(const MessagePattern& wanted);
  // Waits until something has come that may be wanted. PvmOk, PvmNoData when time is up, or an
  // error.
  [[nodiscard]] int wait(const MessagePattern& wanted, Deadline deadline, tutti_envelope& envelope);
  [[nodiscard]] int wait_and_find(const MessagePattern& wanted, Deadline deadline,
                                  tutti_envelope& envelope);
  [[nodiscard]] bool looks_at_all() const { return match_ != nullptr || !handlers_.empty(); }
  // Makes a buffer of a message that was found; its number or an error.
  [[nodiscard]] int fetch(const tutti_envelope& envelope);
  void fetch_all(int source);
  [[nodiscard]] bool somebody_left() const {
    return !watches_.empty() && tutti_departures() != departures_;
  }
  void tell_departures();
  void tell(const Watch& watch);
  int take(int number);

  MessageBuffers* buffers_;
  std::list<int> here_;  // numbers of buffers, in order
  std::vector<Watch> watches_;
  std::int64_t departures_ = 0;  // that were looked at
  Match match_ = nullptr;
  Handlers handlers_;
};

}  // namespace tutti::pvm
