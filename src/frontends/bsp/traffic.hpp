// SPDX-License-Identifier: BSD-3-Clause
// What a process sends to the others in a superstep, combined by destination, and what it gets from
// them. Two supersteps' worth of streams alternate: while others still read the last one, this
// process fills the next.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "delivery.hpp"
#include "volume.hpp"

namespace tutti::bsp {

// In front of what is put, and alone for what is to be got.
struct Access {
  std::uint64_t offset;
  std::uint32_t bytes;
  std::uint32_t slot;
};
// Where the answer to a request belongs.
struct AnswerTarget {
  std::byte* destination;
  std::uint32_t bytes;
};

// What one process tells another at the end of a superstep; fits into one cache line with its
// header.
struct SuperstepNotice {
  std::uint64_t requests =
      0;  // first block of each stream: its name, or, when blocks are sent, the length
  std::uint64_t puts = 0;
  std::uint64_t messages = 0;
  std::uint64_t agreed = 0;  // what must be equal on all processes
  std::uint64_t flags =
      0;  // what holds if it holds for one; in the upper half, the number of direct puts
};
constexpr std::uint64_t flag_requests = 1;
constexpr std::uint64_t flag_data = 2;
constexpr unsigned direct_shift = 32;

// Whom a process tells what there is, and whom it hears it from, where that is not all.
struct Links {
  std::vector<bool> to, from;
};

class Traffic {
 public:
  explicit Traffic(const Peers& peers);

  [[nodiscard]] Stream& puts(int pid) { return outgoing(pid).puts; }
  [[nodiscard]] Stream& messages(int pid) { return outgoing(pid).messages; }
  void request(int pid, const Access& access, std::byte* destination);
  // A put that has reached its process already.
  void count_direct(int pid) { ++direct_[static_cast<std::size_t>(pid)]; }
  // Whether there is anything for a process, or for any.
  [[nodiscard]] bool has_for(int pid) const;
  [[nodiscard]] bool empty() const;

  // Tells all processes what there is for them and hears the same from them. `agreed` comes back
  // from each.
  void exchange(std::uint64_t agreed);
  // The same between those processes only that have something to tell each other: whoever is told
  // something must listen. Nobody requests. From the others come no data and this process's own
  // `agreed`.
  void exchange_among(std::uint64_t agreed, const Links& links);
  // How many puts and messages a process has for this one; after the exchange.
  [[nodiscard]] std::uint64_t items_from(int pid) const;
  [[nodiscard]] std::uint64_t agreed_by(int pid) const {
    return heard_[static_cast<std::size_t>(pid)].agreed;
  }
  [[nodiscard]] bool somebody_requests() const { return (flags_ & flag_requests) != 0; }

  // What there was for others and from them; after exchange().
  [[nodiscard]] Volume volume() const;

  // Calls answer(access) -> address for each request to this process; then all answers are where
  // they belong.
  template <class Answer>
  void serve_requests(const Answer& answer);
  // Calls visit(access, data) for each put to this process.
  template <class Visit>
  void for_each_put(const Visit& visit) const;
  // Messages from a process: nullptr if there are none.
  [[nodiscard]] const StreamBlock* messages_from(int pid) const {
    return arrived_[static_cast<std::size_t>(pid)].messages;
  }
  [[nodiscard]] const StreamBlock* resolve(int pid, std::uint64_t name) const {
    return peers_->resolve(static_cast<std::size_t>(pid), name);
  }

  // The next superstep begins, after exchange(): nobody reads any more what was sent in the
  // superstep before the last.
  void turn();
  // The same after exchange_among(): that is so for processes that have left behind as many
  // supersteps as this one.
  void turn_among(const std::vector<std::uint64_t>& left_behind, std::uint64_t own);

 private:
  struct Outgoing {
    explicit Outgoing(Turns* turns) : requests(turns), puts(turns), messages(turns) {}
    Stream requests, puts, messages;
    [[nodiscard]] bool empty() const {
      return requests.empty() && puts.empty() && messages.empty();
    }
    void clear();
  };
  // Streams that a process may still read, until it has left behind so many supersteps.
  struct Parked {
    std::size_t reader;
    std::uint64_t until;
    Outgoing streams;
  };
  struct Arrived {
    const StreamBlock* requests = nullptr;
    const StreamBlock* puts = nullptr;
    const StreamBlock* messages = nullptr;
  };
  [[nodiscard]] std::size_t count() const { return peers_->count(); }
  [[nodiscard]] Outgoing& outgoing(int pid) {
    return outgoing_[turn_][static_cast<std::size_t>(pid)];
  }
  void tell(std::uint64_t agreed);
  void find_arrived();
  void hear_from_linked(std::uint64_t agreed, const Links& links);
  [[nodiscard]] Turns* turns();
  [[nodiscard]] Outgoing take_parked(const std::vector<std::uint64_t>& left_behind);
  void send_blocks();
  void deliver_answers();

  const Peers* peers_;
  Turns turns_;
  unsigned turn_ = 0;
  std::uint64_t flags_ = 0;
  std::array<std::vector<Outgoing>, 2> outgoing_;
  std::vector<std::vector<AnswerTarget>> wanted_;
  std::vector<Stream> answers_;
  StreamDelivery answers_delivery_;
  std::vector<std::uint32_t> direct_;  // puts, by process
  std::vector<Parked> parked_;
  std::vector<SuperstepNotice> told_, heard_;
  std::vector<SuperstepNotice> linked_told_, linked_heard_;  // without gaps
  std::vector<Arrived> arrived_;
  std::vector<std::byte> sent_blocks_, received_blocks_;
  std::vector<std::int64_t> sent_counts_, received_counts_;
};

template <class Answer>
void Traffic::serve_requests(const Answer& answer) {
  for (std::size_t pid = 0; pid < count(); ++pid) {
    Stream& answers = answers_[pid];
    answers.clear();
    const auto next = [&](std::uint64_t name) { return resolve(static_cast<int>(pid), name); };
    for_each_record(arrived_[pid].requests, next, [&](const std::byte* record) {
      const auto& access = *reinterpret_cast<const Access*>(record);
      answer(static_cast<int>(pid), access, answers.append(aligned(access.bytes)));
      return sizeof(Access);
    });
  }
  answers_delivery_.exchange(*peers_, answers_);
  deliver_answers();
}

template <class Visit>
void Traffic::for_each_put(const Visit& visit) const {
  for (std::size_t pid = 0; pid < count(); ++pid) {
    const auto next = [&](std::uint64_t name) { return resolve(static_cast<int>(pid), name); };
    for_each_record(arrived_[pid].puts, next, [&](const std::byte* record) {
      const auto& access = *reinterpret_cast<const Access*>(record);
      visit(static_cast<int>(pid), access, record + sizeof(Access));
      return sizeof(Access) + aligned(access.bytes);
    });
  }
}

}  // namespace tutti::bsp
