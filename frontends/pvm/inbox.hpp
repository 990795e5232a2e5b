// SPDX-License-Identifier: BSD-3-Clause
// Messages that have arrived for this task and were not received. They wait in the runtime's
// mailbox and are matched there. Two kinds wait here instead: messages that a function of the
// program must look at, and notices that another task has ended. Messages here are older than those
// in the mailbox.
#pragma once

#include <tutti/tutti_runtime.h>

#include <cstdint>
#include <list>
#include <optional>
#include <vector>

#include "buffer.hpp"

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

// Returns the key of a message in the mailbox: the context in the upper half, the tag in the lower.
// Both are 0 or more, so the top bit is 0. It is 1 in the keys of other interfaces.
[[nodiscard]] constexpr std::uint64_t key_of(int context, int tag) {
  return std::uint64_t{static_cast<std::uint32_t>(context)} << 32 | static_cast<std::uint32_t>(tag);
}

constexpr std::uint64_t other_interfaces = std::uint64_t{1} << 63;

// Functions of the program that receive certain messages before the program can receive them
// (pvm_addmhf).
class Handlers {
 public:
  using Function = int (*)(int buffer);

  // Returns the handler's number, or PvmExists. A tid, tag or context of -1 matches all.
  int add(int tid, int tag, int context, Function function);
  // Returns PvmOk or PvmNotFound.
  int remove(int number);
  [[nodiscard]] bool empty() const { return all_.empty(); }
  // Gives the message to the handler that matches it and frees the buffer. Returns false if there
  // is no such handler.
  [[nodiscard]] bool take(MessageBuffers& buffers, int number) const;

 private:
  struct Handler {
    int number, tid, tag, context;
    Function function;
  };

  std::vector<Handler> all_;
  int next_ = 0;
};

class Inbox {
 public:
  using Match = int (*)(int buffer, int tid, int tag);
  static constexpr double for_ever = -1;

  explicit Inbox(MessageBuffers& buffers) : buffers_(&buffers) {}

  // Waits up to `seconds` for a message and makes it a buffer. Returns the buffer's number, 0 if no
  // message came, or an error.
  [[nodiscard]] int receive(const MessagePattern& wanted, double seconds);
  // Looks for a message without waiting and without taking it. Returns the number of its buffer, 0,
  // or an error.
  [[nodiscard]] int probe(const MessagePattern& wanted);
  // Waits for a message and copies as much of it as fits. Returns PvmOk or an error.
  [[nodiscard]] int receive_into(const MessagePattern& wanted, void* data, std::size_t space,
                                 Origin& origin, std::size_t& bytes);

  // Sets the function that matches messages (nullptr: the usual match) and returns the previous
  // one.
  Match set_match(Match match);
  [[nodiscard]] Handlers& handlers() { return handlers_; }

  // Delivers one notice with this tag when the task has ended, or at once if it has ended already.
  void watch(int tid, int tag, int context);
  // Cancels one such watch and delivers its notice now.
  void cancel_watch(int tid, int tag, int context);

 private:
  using Deadline = std::optional<std::uint64_t>;  // by tutti_nanoseconds()
  struct Watch {
    int tid, tag, context;
    friend bool operator==(const Watch&, const Watch&) = default;
  };

  // Returns the number of a buffer in here_, 0, or an error; find_by_function asks match_.
  [[nodiscard]] int find(const MessagePattern& wanted);
  [[nodiscard]] int find_by_function(const MessagePattern& wanted);
  // A place in which a message may be put while it is waited for. Without a space it is the spare
  // memory of the buffers, if there is any.
  struct Place {
    void* data = nullptr;
    std::size_t space = 0;
    bool holds_it = false;  // the message is there and was taken from the mailbox
    tutti_envelope envelope{};
  };
  // Waits until a message that may match has come. Returns PvmOk, PvmNoData if time is up, or an
  // error.
  [[nodiscard]] int wait(const MessagePattern& wanted, Deadline deadline, Place& place);
  [[nodiscard]] int wait_and_find(const MessagePattern& wanted, Deadline deadline, Place& place);
  [[nodiscard]] bool looks_at_all() const { return match_ != nullptr || !handlers_.empty(); }
  // Makes a buffer of a message in the mailbox, or of one that lies in spare memory. Returns its
  // number or an error.
  [[nodiscard]] int fetch(const Place& place);
  void fetch_all(int source);
  [[nodiscard]] bool somebody_left() const {
    return !watches_.empty() && tutti_departures() != departures_;
  }
  void tell_departures();
  void tell(const Watch& watch);
  int take(int number);

  MessageBuffers* buffers_;
  std::list<int> here_;  // numbers of buffers, in order of arrival
  std::vector<Watch> watches_;
  std::int64_t departures_ = 0;  // departures of the job at the last check of watches_
  Match match_ = nullptr;
  Handlers handlers_;
};

}  // namespace tutti::pvm
