// SPDX-License-Identifier: BSD-3-Clause
// Messages that were started, by the numbers (message ids) that isend, irecv and their like return.
#pragma once

#include <tutti/tutti_runtime.h>

#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "messages.hpp"

namespace tutti::nx {

class MessageTable {
 public:
  // These return the id of a message that was started.
  [[nodiscard]] long start_send(const Outgoing& message);
  // The receive writes what is known of its message to `info` when it is over.
  [[nodiscard]] long start_receive(const Incoming& wanted, const InfoPlace& info);
  [[nodiscard]] long start_both(const Outgoing& message, const Incoming& wanted);
  // Makes one id of two; -1 stands for no message.
  [[nodiscard]] long merge(long first, long second);

  // An id is used up when its messages are known to be over. If a handler fails meanwhile, it is
  // not.
  void wait(long id);
  // Sends a message and waits for it and for another one. Nothing of both is under way afterwards.
  void exchange(const Outgoing& message, const Incoming& wanted);
  // Returns what wait() waits for, for reports: `words`, which tell the message that must come
  // first, with its id, and the others of a merged id. Returns `words` alone if no id is awaited.
  [[nodiscard]] std::string words_of_wait(std::string words) const;
  [[nodiscard]] bool done(long id);
  // Nobody will ask for the message any more. Its id is used up.
  void ignore(long id);
  void cancel(long id);

  // Waits until all sends have left.
  void finish_sends();

 private:
  struct Entry {
    tutti_request send{0}, receive{0};
    bool receives = false;  // there was a receive, and its result has not been told
    tutti_match match{};    // of the receive
    tutti_envelope envelope{};
    long space = 0;  // bytes in the buffer of the receive
    InfoPlace info;
    std::vector<long> parts;  // ids that were merged into this one
    std::uint32_t uses = 0;   // how often this place was used before
    bool used = false;
  };

  // Ids have 31 bits, because Fortran keeps them in INTEGER*4.
  static constexpr int place_bits = 20;
  static constexpr std::uint32_t most_uses = 1U << 11;
  [[nodiscard]] static constexpr std::size_t place_of(long id) {
    return static_cast<std::size_t>(id & ((1L << place_bits) - 1));
  }

  [[nodiscard]] long add();
  [[nodiscard]] bool knows(long id) const;
  Entry& find(long id);
  [[nodiscard]] const Entry& at(long id) const { return all_[place_of(id)]; }
  // Adds the ids of receives that are not over, of this id and of those that were merged into it.
  void add_receives(long id, std::vector<long>& ids) const;
  void remove(long id);
  // Runs a step. If it fails, nothing of the message is under way any more, and its id is used up.
  template <class Step>
  void or_forget(long id, const Step& step);
  void wait_for_parts(long id);
  void finish(long id);
  // These do without waiting what they say, and return whether it is over.
  [[nodiscard]] bool test(Entry& entry);
  void end_receive(Entry& entry, tutti_status status);
  void forget_ignored();

  std::deque<Entry> all_;  // its elements stay where they are
  std::vector<std::uint32_t> free_;
  std::vector<long> ignored_;
  long awaited_ = -1;
};

// Takes back a message that is still under way.
void give_up(tutti_request& request);

// The messages of this process.
[[nodiscard]] MessageTable& messages();

}  // namespace tutti::nx
